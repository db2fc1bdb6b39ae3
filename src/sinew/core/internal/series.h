// SPDX-License-Identifier: Apache-2.0
// What sines, cosines and arc tangents are made of, one at a time (core/math.h) and in lanes
// (lanes-inl.h): both have the same bits.
#pragma once

namespace sinew::series {

// A quarter turn in three parts: products of the first two with up to 2^19 are exact.
inline constexpr double quarter_turn[] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69};

// Taylor's series, by the square of the angle: sin(r) = r + r^3 (...), cos(r) = 1 + r^2 (...).
inline constexpr double sine[] = {-1.0 / 6,
                                  1.0 / 120,
                                  -1.0 / 5040,
                                  1.0 / 362880,
                                  -1.0 / 39916800.0,
                                  1.0 / 6227020800.0,
                                  -1.0 / 1307674368000.0,
                                  1.0 / 355687428096000.0};
inline constexpr double cosine[] = {
    -0.5,           1.0 / 24,          -1.0 / 720,           1.0 / 40320,
    -1.0 / 3628800, 1.0 / 479001600.0, -1.0 / 87178291200.0, 1.0 / 20922789888000.0};

// The Chebyshev fit of atan(x) / x by x^2 in [0, tan(pi / 8)^2], to 2e-18.
inline constexpr double arc_tangent[] = {1.0,
                                         -0.3333333333333312,
                                         0.19999999999940893,
                                         -0.14285714279250245,
                                         0.11111110744919656,
                                         -0.09090896809063952,
                                         0.07692045330900862,
                                         -0.06662951813613517,
                                         0.05846878297215434,
                                         -0.05035102456074966,
                                         0.037965257440323044,
                                         -0.017805397190410625};
inline constexpr double tan_eighth = 0.41421356237309503;  // of an eighth of half a turn
inline constexpr double cot_eighth = 2.414213562373095;

// Added and subtracted again, it leaves the nearest whole number; of two, the even one. For less
// than 2^51.
inline constexpr double to_whole = 0x1.8p52;

}  // namespace sinew::series
