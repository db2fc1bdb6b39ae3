// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/dmat.h"

#include <cmath>

#include <gtest/gtest.h>

#include "sinew/core/internal/binary.h"
#include "sinew/io/io.h"
#include "tests/support/assets.h"
#include "tests/support/input_errors.h"
#include "tests/support/refusals.h"

namespace sinew {
namespace {

const Matrix sample{3, 2, {1, 1.0 / 3, -0.0, 1e300, 5e-324, 0.1}};

TEST(Dmat, columns_come_before_rows_and_values_column_by_column) {
  const Matrix matrix = read_dmat("2 3\n1\n2\n3\n4\n5\n6\n");
  EXPECT_EQ(matrix.rows, 3u);
  EXPECT_EQ(matrix.columns, 2u);
  EXPECT_EQ(matrix(2, 0), 3);
  EXPECT_EQ(matrix(0, 1), 4);
}

TEST(Dmat, binary_values_are_little_endian_doubles_after_two_lines) {
  std::string bytes = "0 0\n1 2\n";
  for (const double value : {0.5, -3.0}) store(bytes, value, ByteOrder::little);
  EXPECT_EQ(read_dmat(bytes), (Matrix{2, 1, {0.5, -3.0}}));
  EXPECT_EQ(write_dmat({2, 1, {0.5, -3.0}}, DmatFormat::binary), bytes);
}

TEST(Dmat, writing_and_reading_again_gives_the_same_bits) {
  for (const DmatFormat format : {DmatFormat::text, DmatFormat::binary}) {
    for (const Matrix& matrix : {sample, Matrix{}, Matrix{0, 5, {}}, Matrix{7, 0, {}}}) {
      const Matrix again = read_dmat(write_dmat(matrix, format));
      EXPECT_EQ(again, matrix);
      for (std::size_t i = 0; i < again.values.size(); ++i) {
        EXPECT_EQ(std::signbit(again.values[i]), std::signbit(matrix.values[i]));
      }
    }
  }
}

TEST(Dmat, sizes_that_do_not_fit_the_file_are_refused_at_once) {
  EXPECT_EQ(
      input_error([] { read_dmat("4000000000 4000000000\n1\n"); }),
      "line 1: 4000000000 columns of 4000000000 rows are more than the file has: is it cut off?");
  EXPECT_EQ(
      input_error([] { read_dmat("0 0\n4000000000 4000000000\n12345678"); }),
      "line 3: 4000000000 columns of 4000000000 rows are more than the file has: is it cut off?");
  EXPECT_EQ(input_error([] { read_dmat("1 2\n1 2 3\n"); }),
            "line 2: there are more values than 1 columns of 2 rows");
  EXPECT_EQ(input_error([] { read_dmat("0 0\n1 1\n123456789"); }),
            "byte 16: the file goes on after the last value; check the number of rows and columns");
  EXPECT_EQ(input_error([] { read_dmat("1 2\n1\n"); }),
            "line 3: the file ends where a value should be");
  EXPECT_EQ(input_error([] { read_dmat("-1 2\n1\n"); }),
            "line 1: the number of columns is negative: -1");
  EXPECT_EQ(input_error([] { read_dmat("1 1\nnan\n"); }),
            "line 2: a value should be a finite number, not 'nan'");
}

TEST(Dmat, a_matrix_without_its_values_is_not_written) {
  EXPECT_EQ(wrong_usage([&] {
              write_dmat({2, 2, {1, 2, 3}});
            }),
            "a matrix of 2 rows and 2 columns has 3 values");
}

TEST(Dmat, malformed_files_are_refused_with_a_place) {
  expect_malformed_are_refused(write_dmat(sample, DmatFormat::text),
                               {.cuts = 3, .bytes = 55, .numbers = 12}, read_dmat);
  expect_malformed_are_refused(write_dmat(sample, DmatFormat::binary), {.cuts = 2, .bytes = 413},
                               read_dmat);
}

TEST(Dmat, the_weights_of_the_arm_sum_to_one) {
  SINEW_ASSET_OR_SKIP(path, "arm-weights.dmat");
  const Matrix matrix = read_matrix(path);
  EXPECT_EQ(matrix.rows, 8311u);
  EXPECT_EQ(matrix.columns, 4u);
  for (std::size_t r = 0; r < matrix.rows; ++r) {
    EXPECT_NEAR(matrix(r, 0) + matrix(r, 1) + matrix(r, 2) + matrix(r, 3), 1, 1e-6);
  }
}

TEST(Dmat, the_pose_of_the_hand_is_read) {
  SINEW_ASSET_OR_SKIP(path, "hand-pose.dmat");
  const Matrix matrix = read_matrix(path);
  EXPECT_EQ(matrix.rows, 80u);
  EXPECT_EQ(matrix.columns, 1u);
}

}  // namespace
}  // namespace sinew
