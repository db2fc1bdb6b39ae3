// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/lattice_bones.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace sinew::detail {
namespace {

struct NearestSurface {
  double distance = std::numeric_limits<double>::infinity();
  double place = 0;  // along the bone
  Vec3 point;        // of the surface
};

NearestSurface nearest_to_bone(const LatticeBody& body, const Line& line, const Beside& stretch) {
  NearestSurface nearest;
  for (int k = 0; k <= bone_probes; ++k) {
    const double t = stretch.from + (stretch.to - stretch.from) * k / bone_probes;
    const auto hit = body.interior->bvh().closest(line.at(t));
    if (hit && hit->distance < nearest.distance) nearest = {hit->distance, t, hit->position};
  }
  return nearest;
}

// Stretches of a bone that lie in no body: all of it if it is in none.
std::vector<Beside> beside_all(const std::vector<LatticeBody>& bodies, std::size_t bone,
                               bool reached) {
  if (!reached) return {Beside{}};
  double from = 1, to = 0;
  for (const LatticeBody& body : bodies) {
    const auto [low, high] = places_of_box(body.box, body.lines[bone].head, body.lines[bone].tail);
    from = std::min(from, low);
    to = std::max(to, high);
  }
  const LatticeBody& first = bodies.front();
  const double length = distance(first.lines[bone].head, first.lines[bone].tail);
  return stretches_outside(from, to, length * first.frame.size, [&](double t) {
    return std::any_of(bodies.begin(), bodies.end(), [&](const LatticeBody& body) {
      const Line& line = body.lines[bone];
      return t >= line.from && t <= line.to && body.interior->contains(line.at(t));
    });
  });
}

std::vector<BoneTie> ties_of(const LatticeBody& body, const std::vector<Vec3>& positions,
                             const Guest& guest, double step) {
  const Line& line = body.lines[guest.bone];
  std::vector<BoneLine> others;
  const auto add = [&](int bone) {
    if (bone == guest.bone) return;
    const Line& other = body.lines[bone];
    others.push_back({other.head, other.tail});
  };
  for (const int bone : body.bones) add(bone);
  for (const Guest& other : body.guests) add(other.bone);
  std::vector<BoneTie> ties =
      ties_beside(positions, body.solid.triangles, line.head, line.tail, step, guest.stretch);
  keep_own(ties, {line.head, line.tail}, others);
  return ties;
}

}  // namespace

void assign_bones(std::vector<LatticeBody>& bodies, std::size_t bones) {
  for (std::size_t b = 0; b < bones; ++b) {
    bool reached = false;
    for (LatticeBody& body : bodies) {
      const Line& line = body.lines[b];
      for (int k = 0; k <= bone_probes && line.from <= line.to; ++k) {
        if (!body.interior->contains(line.at(line.probe(k)))) continue;
        body.bones.push_back(static_cast<int>(b));
        reached = true;
        break;
      }
    }
    if (bodies.empty()) continue;
    for (const Beside& stretch : beside_all(bodies, b, reached)) {
      LatticeBody* nearest = &bodies.front();
      double least = std::numeric_limits<double>::infinity();
      for (LatticeBody& body : bodies) {
        const double d = nearest_to_bone(body, body.lines[b], stretch).distance * body.frame.size;
        if (d < least) {
          least = d;
          nearest = &body;
        }
      }
      Guest guest{static_cast<int>(b), stretch, reached, {}};
      guest.stretch.farthest /= nearest->frame.size;
      nearest->guests.push_back(std::move(guest));
    }
  }
}

void tie_guests(std::vector<LatticeBody>& bodies, const std::vector<Vec3>& positions,
                std::vector<std::string>& repairs) {
  for (LatticeBody& body : bodies) {
    for (Guest& guest : body.guests) {
      const Line& line = body.lines[guest.bone];
      guest.ties = ties_of(body, positions, guest, distance(line.head, line.tail) / bone_probes);
    }
    std::erase_if(body.guests, [](const Guest& guest) {
      return guest.partly && !covers(guest.ties, guest.stretch);
    });
    for (const Guest& guest : body.guests) {
      repairs.push_back(
          guest.ties.empty()
              ? fmt::format("bone {} lies outside the shape with no surface of its own beside it, "
                            "and is tied to the nearest surface at one point",
                            guest.bone)
              : tied_beside(static_cast<std::size_t>(guest.bone), guest.partly));
    }
  }
}

bool is_shared(const LatticeBody& body, std::size_t number, const Vec3& end) {
  for (std::size_t other = 0; other < body.lines.size(); ++other) {
    if (other == number) continue;
    if (body.lines[other].head == end || body.lines[other].tail == end) return true;
  }
  return false;
}

void hold_guest(const BodyLattice& lattice, const LatticeBody& body,
                const std::vector<Vec3>& positions, const Guest& guest, const Bone& bone,
                Domain& domain) {
  const std::size_t number = guest.bone;
  const Line& line = body.lines[number];
  if (guest.ties.empty()) {
    const NearestSurface nearest = nearest_to_bone(body, line, guest.stretch);
    const BodyLattice::LatticePoint place = lattice.locate(nearest.point);
    if (place.terms.empty()) return;
    domain.hold(lerp(bone.head, bone.tail, nearest.place), place.element, place.terms);
    return;
  }
  double least = std::numeric_limits<double>::infinity();
  for (const BoneTie& tie : guest.ties) least = std::min(least, lattice.side_at(tie.point));
  const std::vector<BoneTie> ties = ties_of(body, positions, guest, least / 2);
  for (std::size_t i = 0; i < ties.size(); ++i) {
    const BoneTie& tie = ties[i];
    const double side = lattice.side_at(tie.point);
    const Vec3 p = line.at(tie.t);
    const bool beside_shared = [&] {
      for (const Vec3& end : {line.head, line.tail}) {
        if (p != end && distance(p, end) < side / 2 && is_shared(body, number, end)) return true;
      }
      return false;
    }();
    if (beside_shared) continue;
    const Triangle& t = body.solid.triangles[tie.triangle];
    const Vec3 normal =
        normalized(cross(positions[t[1]] - positions[t[0]], positions[t[2]] - positions[t[0]]));
    // From a little inside, the right one of several copies of a cube can be seen.
    const BodyLattice::LatticePoint place =
        lattice.locate(tie.point - normal * (1e-6 * body.interior->extent()));
    if (place.terms.empty()) continue;
    // Half the way to the ties on either side, as along a bone; one alone is held, too.
    const double before = distance(tie.point, ties[i == 0 ? i : i - 1].point),
                 after = distance(tie.point, ties[std::min(i + 1, ties.size() - 1)].point);
    const double strength = bone_stiffness * (std::min(before, side) + std::min(after, side)) / 2;
    domain.hold(lerp(bone.head, bone.tail, tie.t), place.element, place.terms,
                ties.size() == 1 ? 1 : strength / side);
  }
}

}  // namespace sinew::detail
