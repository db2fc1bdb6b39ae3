// SPDX-License-Identifier: Apache-2.0
// Numbers and their text by JavaScript, with the results of the C library, whose code takes ten
// kilobytes to download. For Emscripten alone.
#pragma once

extern "C" {

// The fewest digits that read back as the same number, as to_chars() writes them. Returns how many
// characters they take.
int sinew_write_shortest(char* out, double number, bool with_exponent);

// As printf() writes it by %g; the same.
int sinew_write_significant(char* out, double number, int most);

// The double nearest to a decimal number.
double sinew_parse_decimal(const char* text, int length);

}  // extern "C"
