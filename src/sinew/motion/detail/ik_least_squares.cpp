// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <span>

#include "sinew/motion/detail/ik_data.h"

namespace sinew::motion {
namespace {

// Fixed numbers, so that neighbouring goals that cannot be reached stop at the same place. Fewer
// where each handle goes the last bit of its way in closed form, and for many joints, which have
// many ways to their goals and take long.
constexpr int most_iterations = 24, fewer_iterations = 12;
constexpr std::size_t many_joints = 30;
// In one iteration, in radians: of a joint, and of all joints on the way to one together. Further
// away J says nothing, and long chains would swing to and fro.
constexpr double largest_turn = 0.6, largest_sum = 1.2;

double reach_of(const IkData& ik, const PlannedHandle& handle) {
  double reach = 0;
  JointIndex next = handle.asked.joint;
  for (std::size_t k = handle.chain.size(); k-- > 0;) {
    reach += distance(ik.globals[next].translation, ik.globals[handle.chain[k]].translation);
    next = handle.chain[k];
  }
  return reach;
}

// What does not change in one solve: the ends of all runs, and how joints stand to the world.
void prepare(IkData& ik, IkGroup& group) {
  for (std::size_t row = 0; row < group.handles.size(); ++row) {
    const int h = group.handles[row];
    ik.strength[row] = std::sqrt(ik.goals[h].weight);
    ik.points[row] = ik.handles[h].asked.joint;
  }
  for (std::size_t r = group.runs.size(); r-- > 0;) {
    IkGroup::Run& run = group.runs[r];
    const JointIndex first = group.joints[run.first].joint;
    for (IkGroup::End& end : run.ends) {
      end.point = ik.points[end.row];
      if (ik.locked[first]) ik.points[end.row] = first;
    }
  }
  for (IkGroup::Turning& joint : group.joints) {
    const Mat3 frame = parent_frame(ik, joint.joint);
    joint.yield = 1;
    joint.is_even = is_similarity(frame);
    joint.per_scale = (determinant(frame) < 0 ? -1 : 1) / length(frame.x);
  }
}

// The weighted errors of all handles, each at most `most` long; returns their length.
double find_errors(IkData& ik, const IkGroup& group, double most) {
  double sum = 0;
  for (std::size_t row = 0; row < group.handles.size(); ++row) {
    const int h = group.handles[row];
    Vec3 error = ik.positions[h] - ik.globals[ik.handles[h].asked.joint].translation;
    const double size = length(error);
    if (size > most) error *= most / size;
    error *= ik.strength[row];
    for (int i = 0; i < 3; ++i) ik.right[3 * row + i] = error[i];
    sum += length_squared(error);
  }
  return std::sqrt(sum);
}

Mat3 outer(const Vec3& a, const Vec3& b) { return {a * b.x, a * b.y, a * b.z}; }

// m [p]x, and [p]x m.
Mat3 times_cross(const Mat3& m, const Vec3& p) {
  return {m.y * p.z - m.z * p.y, m.z * p.x - m.x * p.z, m.x * p.y - m.y * p.x};
}
Mat3 cross_times(const Vec3& p, const Mat3& m) {
  return {cross(p, m.x), cross(p, m.y), cross(p, m.z)};
}

// How a pull at a point moves points, through all joints of a run: the sum of s s^T over their axes
// u, with the motion s = (u, h x u) of a turn about u through h. A point p then moves by
// h x u + u x p. So a run costs as much for many handles as for one.
struct Mobility {
  Mat3 turn = diagonal(Vec3{}), cross_part = diagonal(Vec3{}), shift = diagonal(Vec3{});
  // The same for joints that turn about all axes: their sum over u, from the moments of h.
  double count = 0;
  Vec3 sum;
  Mat3 squares = diagonal(Vec3{});

  void add_hinge(const Vec3& u, const Vec3& h, double yield) {
    const Vec3 v = cross(h, u);
    turn = turn + outer(u * yield, u);
    cross_part = cross_part + outer(v * yield, u);
    shift = shift + outer(v * yield, v);
  }
  void add_ball(const Vec3& h, double yield) {
    count += yield;
    sum += h * yield;
    squares = squares + outer(h * yield, h);
  }
  void finish() {
    const double trace = squares.x.x + squares.y.y + squares.z.z;
    turn = turn + diagonal(Vec3{count, count, count});
    cross_part = cross_part + cross_times(sum, Mat3{});
    shift = shift + diagonal(Vec3{trace, trace, trace}) - squares;
  }
};

// Positions while a group is solved are relative to its first joint: sums of their squares would
// lose digits far from the origin.
Vec3 place_of(const IkData& ik, const IkGroup& group, JointIndex joint) {
  return ik.globals[joint].translation - ik.globals[group.joints.front().joint].translation;
}

// Adds to three rows and columns of the lower half.
void add_block(IkData& ik, std::size_t rows, int a, int b, const Mat3& block) {
  const double strength = ik.strength[a] * ik.strength[b];
  double* to = &ik.matrix[3 * (a * rows + b)];
  for (int i = 0; i < 3; ++i, to += rows) {
    to[0] += strength * block.x[i];
    to[1] += strength * block.y[i];
    to[2] += strength * block.z[i];
  }
}

// How a point moves as a joint below an uneven scale turns about an axis of its parent's frame A:
// A (axis x A^-1 (p - joint)).
struct UnevenTurn {
  UnevenTurn(const IkData& ik, const IkGroup::Turning& turning)
      : frame(parent_frame(ik, turning.joint)), head(ik.globals[turning.joint].translation) {
    const double volume = determinant(frame);
    into = volume == 0 ? diagonal(Vec3{}) : adjugate(frame) * (1 / volume);
    if (turning.hinge) {
      axes.x = *turning.hinge;
      count = 1;
    }
  }
  Vec3 moved(const IkData& ik, const IkGroup::End& end, int axis) const {
    return frame * cross(axes[axis], into * (ik.globals[end.point].translation - head));
  }
  Mat3 frame, into, axes;
  Vec3 head;
  int count = 3;
};

void add_uneven(IkData& ik, const IkGroup::Run& run, const IkGroup::Turning& turning,
                std::size_t rows) {
  const UnevenTurn turn(ik, turning);
  for (const IkGroup::End& a : run.ends) {
    for (const IkGroup::End& b : run.ends) {
      if (b.row > a.row) break;
      for (int i = 0; i < turn.count; ++i) {
        add_block(ik, rows, a.row, b.row,
                  outer(turn.moved(ik, a, i) * turning.yield, turn.moved(ik, b, i)));
      }
    }
  }
}

// The axis of a hinge in the world: of unit length, the other way below a mirror.
Vec3 world_axis(const IkData& ik, const IkGroup::Turning& turning) {
  return parent_frame(ik, turning.joint) * *turning.hinge * turning.per_scale;
}

// J D J^T + damping, the lower half.
void find_matrix(IkData& ik, const IkGroup& group, double damping) {
  const std::size_t rows = 3 * group.handles.size();
  std::fill(ik.matrix.begin(), ik.matrix.begin() + long(rows * rows), 0.0);
  for (const IkGroup::Run& run : group.runs) {
    Mobility mobility;
    for (const auto& turning : std::span(group.joints).subspan(run.first, run.count)) {
      if (ik.locked[turning.joint]) continue;
      const Vec3 head = place_of(ik, group, turning.joint);
      if (!turning.is_even) {
        add_uneven(ik, run, turning, rows);
      } else if (turning.hinge) {
        mobility.add_hinge(world_axis(ik, turning), head, turning.yield);
      } else {
        mobility.add_ball(head, turning.yield);
      }
    }
    mobility.finish();
    for (const IkGroup::End& b : run.ends) {
      const Vec3 at = place_of(ik, group, b.point);
      const Mat3 shift = mobility.shift + times_cross(mobility.cross_part, at);
      const Mat3 turn = transpose(mobility.cross_part) + times_cross(mobility.turn, at);
      for (const IkGroup::End& a : run.ends) {
        if (a.row < b.row) continue;
        const Vec3 point = place_of(ik, group, a.point);
        add_block(ik, rows, a.row, b.row, shift - cross_times(point, turn));
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

// What the solution pulls a handle with.
Vec3 pull_at(const IkData& ik, const IkGroup::End& end) {
  const double* x = &ik.right[3 * end.row];
  return Vec3{x[0], x[1], x[2]} * ik.strength[end.row];
}

// The turn of a joint below an uneven scale, in its parent's frame.
Vec3 uneven_turn(const IkData& ik, const IkGroup::Run& run, const IkGroup::Turning& turning) {
  const UnevenTurn turn(ik, turning);
  Vec3 result;
  for (const IkGroup::End& end : run.ends) {
    const Vec3 pull = pull_at(ik, end);
    for (int i = 0; i < turn.count; ++i) {
      result += turn.axes[i] * dot(turn.moved(ik, end, i), pull);
    }
  }
  return result;
}

struct TurnSizes {
  double turn = 0, sum = 0;
};

// The turn of a joint, in its parent's frame, under a torque about it.
Vec3 turn_under(const IkData& ik, const IkGroup::Run& run, const IkGroup::Turning& turning,
                const Vec3& torque) {
  if (ik.locked[turning.joint]) return {};
  if (!turning.is_even) return uneven_turn(ik, run, turning);
  if (turning.hinge) return *turning.hinge * dot(world_axis(ik, turning), torque);
  return transpose(parent_frame(ik, turning.joint)) * torque * turning.per_scale;
}

// Turns of all joints, D J^T y; returns the largest, and the largest sum on the way to a joint. The
// pulls at the ends of a run are one force and one torque.
TurnSizes find_turns(IkData& ik, IkGroup& group) {
  TurnSizes largest;
  for (const IkGroup::Run& run : group.runs) {
    Vec3 force, torque;
    for (const IkGroup::End& end : run.ends) {
      const Vec3 pull = pull_at(ik, end);
      force += pull;
      torque += cross(place_of(ik, group, end.point), pull);
    }
    for (int j = run.first; j < run.first + run.count; ++j) {
      IkGroup::Turning& turning = group.joints[j];
      const Vec3 about = torque - cross(place_of(ik, group, turning.joint), force);
      ik.turns[j] = turn_under(ik, run, turning, about) * turning.yield;
      const double size = length(ik.turns[j]);
      turning.sum = size + (turning.above < 0 ? 0 : group.joints[turning.above].sum);
      largest.turn = std::max(largest.turn, size);
      largest.sum = std::max(largest.sum, turning.sum);
    }
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
  prepare(ik, group);
  const bool finishes =
      group.handles.size() > 1 && std::all_of(group.handles.begin(), group.handles.end(),
                                              [&](int h) { return has_own_part(ik, h); });
  const int most =
      finishes || group.joints.size() > many_joints ? fewer_iterations : most_iterations;
  int iteration = 0;
  for (; iteration < most; ++iteration) {
    const double error = find_errors(ik, group, 0.5 * reach);
    if (error <= 1e-12 * reach) break;
    find_matrix(ik, group, (0.25 * error + 1e-10 * reach) * reach);
    solve_rows(ik, rows);
    const TurnSizes largest = find_turns(ik, group);
    const double scale =
        1 / std::max({1.0, largest.turn / largest_turn, largest.sum / largest_sum});
    for (std::size_t j = 0; j < group.joints.size(); ++j) {
      turn_joint_by(ik, group.joints[j], ik.turns[j] * scale);
    }
    for (const JointIndex joint : group.path) update_joint(ik, joint);
    if (largest.turn < 1e-10) break;
  }
  for (const int h : group.handles) ik.results[h].iterations = iteration;
  update_below(ik, group.joints.front().joint);
}

}  // namespace sinew::motion
