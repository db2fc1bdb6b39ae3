// SPDX-License-Identifier: Apache-2.0
// The list of methods. Everything that iterates over all methods uses it.
#include "sinew/deform/method.h"

namespace sinew {

// Each is defined in the source file of its method.
extern const MethodInfo lbs_method;
extern const MethodInfo dqs_method;
extern const MethodInfo mixed_method;
extern const MethodInfo stbs_lbs_method;
extern const MethodInfo stbs_dqs_method;
extern const MethodInfo stbs_mixed_method;
extern const MethodInfo stretch_it_method;
extern const MethodInfo delta_mush_method;
extern const MethodInfo ocd_arc_method;
extern const MethodInfo ocd_spline_method;

std::span<const MethodInfo* const> methods() {
  // A line for each.
  // clang-format off
  static constexpr const MethodInfo* list[] = {
      &lbs_method,
      &dqs_method,
      &mixed_method,
      &stbs_lbs_method,
      &stbs_dqs_method,
      &stbs_mixed_method,
#ifndef SINEW_SKINNING_ALONE
      &stretch_it_method,
      &delta_mush_method,
#ifdef SINEW_WITH_OCD
      &ocd_arc_method,
      &ocd_spline_method,
#endif
#endif
  };
  // clang-format on
  return list;
}

}  // namespace sinew
