/** The source of the follow loop, with packed blocks. */
import { type PackedBlock, packBlock } from '../../schema/packed.ts'
import type { Source } from './source.ts'

/** A source whose blocks have their rows packed as in messages. */
export type PackedSource = Omit<Source, 'block' | 'packed'> & {
  block: (at: { number: number; hash?: string }, signal?: AbortSignal) => Promise<PackedBlock | undefined>
}

/** Packs decoded blocks, unless the source packs them itself. */
export const packedSource = ({ block, packed, ...source }: Source): PackedSource => ({
  ...source,
  block:
    packed ??
    (async (at, signal) => {
      const decoded = await block(at, signal)
      return decoded && packBlock(decoded)
    }),
})
