// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "sinew/motion/detail/ik_data.h"

namespace sinew::motion {
namespace {

// Fixed numbers, so that neighbouring goals that cannot be reached stop at the same place. Fewer
// where each handle goes the last bit of its way in closed form.
constexpr int most_iterations = 24, most_before_finish = 12;
constexpr double largest_turn = 0.6;  // of a joint in one iteration, in radians

const HingeLimit* hinge_of(const IkData& ik, JointIndex joint) {
  const int limit = ik.limit_of[joint];
  return limit < 0 ? nullptr : std::get_if<HingeLimit>(&ik.limits[limit].range);
}

double reach_of(const IkData& ik, const PlannedHandle& handle) {
  double reach = 0;
  JointIndex next = handle.asked.joint;
  for (std::size_t k = handle.chain.size(); k-- > 0;) {
    reach += distance(ik.globals[next].translation, ik.globals[handle.chain[k]].translation);
    next = handle.chain[k];
  }
  return reach;
}

// The weighted errors of all handles, each at most `most` long; returns their length.
double find_errors(IkData& ik, const IkGroup& group, double most) {
  double sum = 0;
  for (std::size_t row = 0; row < group.handles.size(); ++row) {
    const int h = group.handles[row];
    Vec3 error = ik.positions[h] - ik.globals[ik.handles[h].asked.joint].translation;
    const double size = length(error);
    if (size > most) error *= most / size;
    error *= std::sqrt(ik.goals[h].weight);
    for (int i = 0; i < 3; ++i) ik.right[3 * row + i] = error[i];
    sum += length_squared(error);
  }
  return std::sqrt(sum);
}

// What each joint turns: the handle, or the first joint on the way to it that keeps its rotation in
// the world. Joints that keep theirs turn nothing.
void find_points(const IkData& ik, IkGroup& group) {
  for (const int h : group.handles) {
    const PlannedHandle& handle = ik.handles[h];
    Vec3 point = ik.globals[handle.asked.joint].translation;
    for (std::size_t k = handle.chain.size(); k-- > 0;) {
      const JointIndex joint = handle.chain[k];
      if (ik.locked[joint]) point = ik.globals[joint].translation;
      group.levers[handle.levers[k]].point = point;
    }
  }
}

// How a handle moves as a joint turns about an axis of its parent: A (axis x A^-1 (p - joint)).
void find_levers(const IkData& ik, IkGroup& group) {
  find_points(ik, group);
  for (const IkGroup::Turning& turning : group.joints) {
    const Mat3 frame = parent_frame(ik, turning.joint);
    const double volume = determinant(frame);
    const bool is_fixed = ik.locked[turning.joint] || volume == 0;
    const Mat3 into = is_fixed ? diagonal(Vec3{}) : adjugate(frame) * (1 / volume);
    const HingeLimit* hinge = hinge_of(ik, turning.joint);
    const Vec3 head = ik.globals[turning.joint].translation;
    for (int l = 0; l < turning.lever_count; ++l) {
      IkGroup::Lever& lever = group.levers[turning.first_lever + l];
      const double weight = ik.goals[group.handles[lever.row]].weight;
      const Vec3 arm = into * (lever.point - head) * std::sqrt(weight);
      if (hinge) {
        const Vec3 axis = rotate(ik.rest_rotations[turning.joint], hinge->axis);
        const Vec3 moved = frame * cross(axis, arm);
        // Turning about any axis counts as far as it is about the hinge.
        for (int i = 0; i < 3; ++i) lever.columns[i] = moved * axis[i];
      } else {
        lever.columns[0] = frame * Vec3{0, -arm.z, arm.y};
        lever.columns[1] = frame * Vec3{arm.z, 0, -arm.x};
        lever.columns[2] = frame * Vec3{-arm.y, arm.x, 0};
      }
    }
  }
}

void add_row(double* to, double x, double y, double z) {
  to[0] += x;
  to[1] += y;
  to[2] += z;
}

// J J^T + damping, the lower half.
void find_matrix(IkData& ik, const IkGroup& group, double damping) {
  const std::size_t rows = 3 * group.handles.size();
  std::fill(ik.matrix.begin(), ik.matrix.begin() + long(rows * rows), 0.0);
  for (const IkGroup::Turning& joint : group.joints) {
    const std::span levers = std::span(group.levers).subspan(joint.first_lever, joint.lever_count);
    for (const IkGroup::Lever& a : levers) {
      for (const IkGroup::Lever& b : levers) {
        if (b.row > a.row) break;
        Mat3 block = diagonal(Vec3{});
        for (int k = 0; k < 3; ++k) {
          const Vec3 column = a.columns[k] * joint.yield;
          block.x += column * b.columns[k].x;
          block.y += column * b.columns[k].y;
          block.z += column * b.columns[k].z;
        }
        double* to = &ik.matrix[3 * (a.row * rows + b.row)];
        add_row(to, block.x.x, block.y.x, block.z.x);
        add_row(to + rows, block.x.y, block.y.y, block.z.y);
        add_row(to + 2 * rows, block.x.z, block.y.z, block.z.z);
      }
    }
  }
  for (std::size_t i = 0; i < rows; ++i) ik.matrix[i * rows + i] += damping;
}

// Cholesky, in place, with the inverses of its diagonal; the solution replaces the right side. The
// damping keeps pivots positive.
void solve_rows(IkData& ik, std::size_t rows) {
  double* m = ik.matrix.data();
  double* x = ik.right.data();
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = m[i * rows + j];
      for (std::size_t k = 0; k < j; ++k) sum -= m[i * rows + k] * m[j * rows + k];
      m[i * rows + j] = i == j ? 1 / std::sqrt(sum) : sum * m[j * rows + j];
    }
    double sum = x[i];
    for (std::size_t k = 0; k < i; ++k) sum -= m[i * rows + k] * x[k];
    x[i] = sum * m[i * rows + i];
  }
  for (std::size_t i = rows; i-- > 0;) {
    for (std::size_t k = i + 1; k < rows; ++k) x[i] -= m[k * rows + i] * x[k];
    x[i] *= m[i * rows + i];
  }
}

// Turns of all joints; returns the largest.
double find_turns(IkData& ik, const IkGroup& group) {
  double largest = 0;
  for (std::size_t j = 0; j < group.joints.size(); ++j) {
    const IkGroup::Turning& joint = group.joints[j];
    Vec3 turn;
    for (int l = 0; l < joint.lever_count; ++l) {
      const IkGroup::Lever& lever = group.levers[joint.first_lever + l];
      const double* x = &ik.right[3 * lever.row];
      const Vec3 pull{x[0], x[1], x[2]};
      turn += Vec3{dot(lever.columns[0], pull), dot(lever.columns[1], pull),
                   dot(lever.columns[2], pull)} *
              joint.yield;
    }
    ik.turns[j] = turn;
    largest = std::max(largest, length(turn));
  }
  return largest;
}

// Turns a joint in its parent's frame, within its limit, and notes how much of it that allows:
// where it stops the joint, the others have to do more.
void turn_joint_by(IkData& ik, IkGroup::Turning& joint, const Vec3& turn) {
  const double square = length_squared(turn);
  if (square == 0) return;
  Quat& rotation = ik.locals[joint.joint].rotation;
  const Quat before = rotation;
  // By 2 atan(|turn| / 2), which is |turn| but for its cube: Newton's steps end at the same place,
  // and sines would take as long as all the rest.
  rotation = normalized(Quat{turn.x / 2, turn.y / 2, turn.z / 2, 1} * rotation);
  joint.yield = 1;
  if (!clamp_joint(ik, joint.joint)) return;
  Quat done = rotation * conjugate(before);
  if (done.w < 0) done = -done;
  joint.yield = std::clamp(2 * dot(done.vector(), turn) / square, 0.02, 1.0);
}

}  // namespace

void least_squares(IkData& ik, IkGroup& group) {
  const std::size_t rows = 3 * group.handles.size();
  double reach = 0;
  for (const int h : group.handles) reach = std::max(reach, reach_of(ik, ik.handles[h]));
  if (!(reach > 0)) return;
  for (IkGroup::Turning& joint : group.joints) joint.yield = 1;
  const bool finishes =
      group.handles.size() > 1 && std::all_of(group.handles.begin(), group.handles.end(),
                                              [&](int h) { return has_own_part(ik, h); });
  const int most = finishes ? most_before_finish : most_iterations;
  int iteration = 0;
  for (; iteration < most; ++iteration) {
    const double error = find_errors(ik, group, 0.5 * reach);
    if (error <= 1e-12 * reach) break;
    find_levers(ik, group);
    find_matrix(ik, group, (0.25 * error + 1e-10 * reach) * reach);
    solve_rows(ik, rows);
    const double largest = find_turns(ik, group);
    const double scale = std::min(1.0, largest_turn / std::max(largest, 1e-300));
    for (std::size_t j = 0; j < group.joints.size(); ++j) {
      turn_joint_by(ik, group.joints[j], ik.turns[j] * scale);
    }
    for (const JointIndex joint : group.path) update_joint(ik, joint);
    if (largest < 1e-10) break;
  }
  for (const int h : group.handles) ik.results[h].iterations = iteration;
  update_below(ik, group.joints.front().joint);
}

}  // namespace sinew::motion
