// SPDX-License-Identifier: Apache-2.0
// Numbers of joints and of bones, which are easily taken for each other.
#pragma once

#include <concepts>
#include <cstddef>

namespace sinew {

// A place in a list of elements, or -1 for none. It converts from and to an int, so that it can be
// counted up and used as a subscript, but never to the index of another list.
template <class Element>
class IndexOf {
 public:
  // None.
  constexpr IndexOf() = default;
  // The place itself.
  constexpr IndexOf(std::integral auto value) : value_(static_cast<int>(value)) {}
  template <class Other>
  IndexOf(IndexOf<Other>) = delete;

  // The place as a number, for subscripts.
  constexpr operator int() const { return value_; }
  // The next one, and one so many places on.
  constexpr IndexOf& operator++() {
    ++value_;
    return *this;
  }
  constexpr IndexOf& operator+=(int step) {
    value_ += step;
    return *this;
  }

 private:
  int value_ = -1;
};

template <class A, class B>
bool operator==(IndexOf<A>, IndexOf<B>) = delete;
template <class A>
constexpr bool operator==(IndexOf<A> a, IndexOf<A> b) {
  return static_cast<int>(a) == static_cast<int>(b);
}

// The types of indices, and "none".
using JointIndex = IndexOf<struct Joint>;  // of Skeleton::joints
using BoneIndex = IndexOf<struct Bone>;    // of Skeleton::bones

inline constexpr JointIndex no_joint;  // -1: no joint
inline constexpr BoneIndex no_bone;    // -1: no bone

}  // namespace sinew
