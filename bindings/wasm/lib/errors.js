// SPDX-License-Identifier: Apache-2.0
import * as abi from './abi.js';

/** Everything that Sinew throws, with the message of the core. */
export class SinewError extends Error {
  constructor(message, status, code) {
    super(message);
    this.name = 'SinewError';
    this.status = status;
    this.code = code;
  }
}

export const usageError = (message) =>
  new SinewError(message, abi.SINEW_ERROR_USAGE, 'SINEW_ERROR_USAGE');
