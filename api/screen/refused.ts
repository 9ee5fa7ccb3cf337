/** Refuses an upload. Nothing of it is stored. */
export class UploadRefused extends Error {
  readonly kind: 'too-many-rows' | 'no-rows-left' | 'too-large' | 'too-slow' | 'empty' | 'not-text' | 'broken-off'
  constructor(kind: UploadRefused['kind']) {
    super(`an upload was refused: ${kind}`)
    this.kind = kind
  }
}
