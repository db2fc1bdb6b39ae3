// SPDX-License-Identifier: Apache-2.0
declare module 'sinew/wasm/sinew.wasm?url' {
  const url: string;
  export default url;
}
