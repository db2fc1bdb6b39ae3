// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "bench.h"
#include "sinew/rig/rig.h"
#include "sinew/samples/samples.h"

namespace sinew::bench {

void run_sample_suite(const Options& options) {
  for (const SampleInfo& sample : sample_list()) {
    Rig rig;
    const double seconds =
        minimum_seconds([&] { rig = make_sample(sample.name, options.size); }, 0.0);
    Checksum checksum;
    checksum.add(rig.mesh.positions);
    report_row("sample", sample.name, rig.mesh.vertex_count(), seconds, checksum);
  }
}

}  // namespace sinew::bench
