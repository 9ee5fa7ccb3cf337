/** Copies folders and hashes every file, so that a damaged backup is detected. */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, mkdir, open, readdir, readlink, symlink } from 'node:fs/promises'
import { dirname, isAbsolute, join, normalize } from 'node:path'
import { z } from 'zod'

const inside = (path: string): boolean => !isAbsolute(path) && normalize(path).split('/')[0] !== '..'

const entryShape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('folder'), path: z.string().refine(inside) }),
  z
    .object({ kind: z.literal('link'), path: z.string().refine(inside), target: z.string() })
    .refine(({ path, target }) => !isAbsolute(target) && inside(join(dirname(path), target))),
  z.object({
    kind: z.literal('file'),
    path: z.string().refine(inside),
    bytes: z.number(),
    sha256: z.string().length(64),
  }),
])

/** Entries of a manifest. Paths that lead out of the backup are invalid. */
export const entriesShape = z.array(entryShape)
/** A folder, link or file, with its path relative to the copied folder. */
export type Entry = z.output<typeof entryShape>

/** Files that a process has only while it runs. */
const TRANSIENT = /(^|\/)(store\.sock|store\/status|bus\/lock\.mdb|\.write-test-\d+)$/

type HashOf = (file: string) => Promise<{ bytes: number; sha256: string }>

const READ_BYTES = 262_144
/** Shares one buffer: a store has thousands of small files, and a stream for each took most of the time. */
const createHasher = (): HashOf => {
  const buffer = Buffer.allocUnsafe(READ_BYTES)
  return async (file) => {
    const hash = createHash('sha256')
    let bytes = 0
    const handle = await open(file)
    try {
      for (;;) {
        const { bytesRead } = await handle.read(buffer, 0, READ_BYTES)
        if (bytesRead === 0) break
        hash.update(buffer.subarray(0, bytesRead))
        bytes += bytesRead
      }
    } finally {
      await handle.close()
    }
    return { bytes, sha256: hash.digest('hex') }
  }
}

/** File systems that can share blocks between copies copy nothing. */
const copy = (from: string, to: string) => copyFile(from, to, constants.COPYFILE_FICLONE)

/** Copies a data folder. @returns its entries, in the order in which a restore creates them */
export const copyOut = async (from: string, to: string, copied: (bytes: number) => void): Promise<Entry[]> => {
  const entries: Entry[] = []
  const hashOf = createHasher()
  const walk = async (folder: string): Promise<void> => {
    for (const found of await readdir(join(from, folder), { withFileTypes: true })) {
      const path = join(folder, found.name)
      const target = join(to, path)
      if (TRANSIENT.test(path)) continue
      if (found.isDirectory()) {
        await mkdir(target)
        entries.push({ kind: 'folder', path })
        await walk(path)
      } else if (found.isSymbolicLink()) {
        const link = await readlink(join(from, path))
        await symlink(link, target)
        entries.push({ kind: 'link', path, target: link })
      } else if (found.isFile()) {
        await copy(join(from, path), target)
        const { bytes, sha256 } = await hashOf(target)
        entries.push({ kind: 'file', path, bytes, sha256 })
        copied(bytes)
      }
    }
  }
  await walk('')
  return entries
}

/** A file of a backup is missing or changed. */
export class Damaged extends Error {}

const copyBack = async (
  from: string,
  to: string,
  { path, bytes, sha256 }: Extract<Entry, { kind: 'file' }>,
  hashOf: HashOf,
) => {
  try {
    await copy(join(from, path), join(to, path))
  } catch (cause) {
    const missing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
    throw missing ? new Damaged(`${path} is missing`) : cause
  }
  const found = await hashOf(join(to, path))
  if (found.sha256 !== sha256)
    throw new Damaged(`${path} (${found.bytes} bytes) differs from the original (${bytes} bytes)`)
}

/** Restores entries. Links and folders are created from the manifest, because not every storage keeps them. @throws Damaged */
export const copyIn = async (
  entries: readonly Entry[],
  from: string,
  to: string,
  copied: (bytes: number) => void,
): Promise<void> => {
  const hashOf = createHasher()
  for (const entry of entries) {
    if (entry.kind === 'folder') await mkdir(join(to, entry.path), { recursive: true })
    else if (entry.kind === 'link') await symlink(entry.target, join(to, entry.path))
    else {
      await copyBack(from, to, entry, hashOf)
      copied(entry.bytes)
    }
  }
}
