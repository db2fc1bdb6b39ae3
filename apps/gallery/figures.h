// SPDX-License-Identifier: Apache-2.0
// One function for each figure.
#pragma once

#include "models.h"

namespace sinew::gallery {

// Jacobson and Sorkine 2011, Stretchable and Twistable Bones.
Figure beast_loop(Models& models, const Progress& progress);
Figure teaser(Models& models, const Progress& progress);                     // fig. 1
Figure cigar(Models& models, const Progress& progress);                      // fig. 2
Figure boxes(Models& models, const Progress& progress);                      // fig. 3
Figure leg(Models& models, const Progress& progress);                        // fig. 4
Figure person_arm(Models& models, const Progress& progress);                 // fig. 5
Figure colored_weights(Models& models, const Progress& progress);            // fig. 6
Figure giraffe_neck(Models& models, const Progress& progress);               // fig. 7
Figure box_fall_off(Models& models, const Progress& progress);               // fig. 8
Figure bone_and_endpoint_weights(Models& models, const Progress& progress);  // fig. 9
Figure spine_filter(Models& models, const Progress& progress);               // fig. 10
Figure yawn(Models& models, const Progress& progress);                       // fig. 11
Figure dragged_image(Models& models, const Progress& progress);              // fig. 12

// The talk's slides.
Figure biceps(Models& models, const Progress& progress);

// Yang and Zhang 2006, Stretch It.
Figure weight_map(Models& models, const Progress& progress);    // fig. 3
Figure bent_tube(Models& models, const Progress& progress);     // fig. 4
Figure twisted_tube(Models& models, const Progress& progress);  // fig. 5
Figure fingers(Models& models, const Progress& progress);       // fig. 7
Figure bent_leg(Models& models, const Progress& progress);      // fig. 8
Figure muscular_arm(Models& models, const Progress& progress);  // fig. 9

// Gregory and Weston 2008, Offset Curve Deformation.
Figure offset_curves(Models& models, const Progress& progress);
Figure offset_curve_parts(Models& models, const Progress& progress);
Figure offset_curve_times(Models& models, const Progress& progress);

// The course notes and the slides; what others made of the same.
Figure foreshortening(Models& models, const Progress& progress);
Figure generalized_bones(Models& models, const Progress& progress);
Figure blend_shapes(Models& models, const Progress& progress);
Figure reach(Models& models, const Progress& progress);
Figure corrective(Models& models, const Progress& progress);
Figure delta_mush(Models& models, const Progress& progress);

}  // namespace sinew::gallery
