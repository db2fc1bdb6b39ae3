// SPDX-License-Identifier: Apache-2.0
// Sines, powers and the like with the same bits on every machine. C libraries round them in ways
// of their own, so that a file made in a browser would differ from the program's in its last bits.
// These are made of additions, multiplications, divisions and square roots alone, which are the
// same everywhere. To three units in the last place, unless something else is said. Infinite and
// undefined arguments are treated as in <cmath>.
#pragma once

namespace sinew::math {

// Of one angle.
struct SineCosine {
  double sine = 0, cosine = 1;  // its sine and its cosine
};

// Of an angle in radians. Beyond 2^19 quarter turns, of what is left beside whole multiples of the
// number nearest to 2 pi.
SineCosine sine_cosine(double angle);
double sin(double angle);
double cos(double angle);
double tan(double angle);

// In radians: in [-pi / 2, pi / 2], in [0, pi], and in [-pi, pi].
double asin(double sine);
double acos(double cosine);
double atan2(double y, double x);

double exp(double x);   // e to this power
double exp2(double x);  // exact for whole numbers
double log(double x);   // to the base e
double log2(double x);  // exact for powers of two
// To ten units in the last place where the result or its inverse is beyond 1e20.
double pow(double base, double exponent);
double tanh(double x);  // to 2^-52
double cbrt(double x);

// The length of a vector, without overflow and underflow on the way.
double hypot(double x, double y);
double hypot(double x, double y, double z);

// The same for float, rounded from double.
inline float sin(float angle) { return static_cast<float>(sin(static_cast<double>(angle))); }
inline float cos(float angle) { return static_cast<float>(cos(static_cast<double>(angle))); }
inline float acos(float cosine) { return static_cast<float>(acos(static_cast<double>(cosine))); }
inline float atan2(float y, float x) {
  return static_cast<float>(atan2(static_cast<double>(y), static_cast<double>(x)));
}

}  // namespace sinew::math
