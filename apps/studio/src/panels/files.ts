// SPDX-License-Identifier: Apache-2.0
// Files in and out of the browser.

export function download(bytes: BlobPart | Blob, name: string, type = 'application/octet-stream'): void {
  const blob = bytes instanceof Blob ? bytes : new Blob([bytes], { type });
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** Lets people choose files; an empty list if they do not. */
export function chooseFiles(accept: string, multiple = false): Promise<File[]> {
  return new Promise((resolve) => {
    const input = document.createElement('input');
    input.type = 'file';
    input.accept = accept;
    input.multiple = multiple;
    input.addEventListener('change', () => resolve([...(input.files ?? [])]));
    input.addEventListener('cancel', () => resolve([]));
    input.click();
  });
}

/** A name for a file: what all systems take. */
export function fileName(name: string, ending: string): string {
  const clean = name.replace(/[^\p{L}\p{N}._ -]/gu, '').trim() || 'character';
  return `${clean}.${ending}`;
}

export function endingOf(name: string): string {
  return name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : '';
}

export function stemOf(name: string): string {
  return name.replace(/\.[^.]*$/, '') || name;
}

export async function bytesOf(file: Blob): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await file.arrayBuffer());
}
