// SPDX-License-Identifier: Apache-2.0
#include "sinew/kernels/detail/pose.h"

namespace sinew::kernels {
namespace {

Mat3 outer(const Vec3& column, const Vec3& row) {
  return {column * row.x, column * row.y, column * row.z};
}

}  // namespace

MatrixRows rows_of(const Mat3& m, const Vec3& t) {
  const auto f = [](double x) { return static_cast<float>(x); };
  return {f(m.x.x), f(m.y.x), f(m.z.x), f(t.x),   f(m.x.y), f(m.y.y),
          f(m.z.y), f(t.y),   f(m.x.z), f(m.y.z), f(m.z.z), f(t.z)};
}

MatrixRows rows_about_head(const Mat3& linear, const Vec3& head, const Vec3& bind_head) {
  return rows_of(linear, head - linear * bind_head);
}

TurningBone turning_bone(const Mat3& frame, const Mat3& in, const Mat3& out, const Vec3& bind_head,
                         const Vec3& head) {
  const Mat3 rows = transpose(in);  // its columns are the rows of `in`
  TurningBone turning{};
  turning.in = rows_about_head(in, {}, bind_head);
  turning.out = rows_of(out * frame, head);
  const Mat3 axes = out * frame;
  turning.fixed = rows_about_head(outer(axes.x, rows.x), head, bind_head);
  turning.cosine = rows_about_head(outer(axes.y, rows.y) + outer(axes.z, rows.z), {}, bind_head);
  turning.sine = rows_about_head(outer(axes.z, rows.y) - outer(axes.y, rows.z), {}, bind_head);
  return turning;
}

BoneState still_bone() {
  BoneState still;
  still.tail = still.posed_tail = {1, 0, 0};
  return still;
}

}  // namespace sinew::kernels
