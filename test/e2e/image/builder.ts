/**
 * Builds images from Dockerfiles without Docker: Debian's buildah in a chroot, over base images that mmdebstrap makes of Debian's
 * packages and that go by the names the Dockerfile gives. Needs root.
 */
import { execFile, spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '../../..')
const MAKE_DEBIAN = join(ROOT, '.ci/make-debian')
/** Where Debian keeps the authorities a machine trusts, which may be more than Debian's own. */
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt'
/** The Node of the built image; the nightly tests run on the same. */
const NODE_VERSION = '24.21.0'
/** Where npm of the base image keeps what it fetched: that of this machine is mounted there while an image is built. */
const NPM_CACHE = '/var/cache/npm'
const NODE_ARCH = process.arch === 'arm64' ? 'arm64' : 'x64'

const storageIn = (folder: string): string[] => [
  ...['--storage-driver', 'overlay'],
  ...['--root', join(folder, 'root'), '--runroot', join(folder, 'run')],
]

const runs = (command: string) => spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0

/** Why no image can be built here, or undefined when one can. */
export const whyNoImage = (): string | undefined => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'buildah needs root on Linux'
  const missing = ['buildah', 'mmdebstrap', 'npm'].filter((command) => !runs(command))
  if (missing.length > 0) return `no ${missing.join(' and no ')}`
  const debian = spawnSync(MAKE_DEBIAN, { encoding: 'utf8' })
  if (debian.status !== 0) return `no Debian can be made here: ${debian.stderr.trim().split('\n').at(-1)}`
  // Containers may not mount, whoever they run as.
  const folder = mkdtempSync(join(tmpdir(), 'assay-images-'))
  const tried = (...args: string[]) => spawnSync('buildah', [...storageIn(folder), ...args], { encoding: 'utf8' })
  try {
    const mounted = tried('mount', tried('from', 'scratch').stdout.trim())
    return mounted.status === 0 ? undefined : `buildah cannot mount here: ${mounted.stderr.trim()}`
  } finally {
    tried('rm', '--all')
    rmSync(folder, { recursive: true, force: true })
  }
}

const called = async (command: string, args: readonly string[], cwd = ROOT): Promise<string> => {
  const { stdout } = await promisify(execFile)(command, args, { cwd, maxBuffer: 2 ** 26 })
  return stdout.trim()
}

export type Image = {
  name: string
  /** Bytes, unpacked. */
  size: number
  config: { User?: string; Labels?: Record<string, string>; Healthcheck?: { Test: string[] }; Env?: string[] }
  /** Runs a command in the image as its user, with the network of this machine. @returns its output and exit code. */
  run: (command: readonly string[], env?: Record<string, string>) => Promise<{ code: number | null; output: string }>
  /** Starts a command; `stop` sends SIGTERM to it and resolves to its exit code. */
  start: (
    command: readonly string[],
    env: Record<string, string>,
  ) => { output: () => string; stop: () => Promise<number | null> }
}

/** A folder of images that is removed with everything in it by `close`. */
export const createBuilder = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-images-'))
  const options = storageIn(folder)
  const buildah = (...args: string[]) => called('buildah', [...options, ...args])

  /** The binary of npm's package: the one that runs here, as in `.ci/run`, or else fetched. */
  const node = async () => {
    if (process.version === `v${NODE_VERSION}` && process.arch === NODE_ARCH) return process.execPath
    const packed = await called('npm', ['pack', '--silent', `node-linux-${NODE_ARCH}@${NODE_VERSION}`], folder)
    await called('tar', ['xzf', packed], folder)
    return join(folder, 'package/bin/node')
  }

  const base = async () => {
    const debian = await buildah('from', 'scratch')
    await buildah('add', '--quiet', debian, await called(MAKE_DEBIAN, []), '/')
    await buildah('commit', '--quiet', '--rm', debian, 'localhost/debian:bookworm-slim')
    const container = await buildah('from', '--pull-never', 'localhost/debian:bookworm-slim')
    const root = await buildah('mount', container)
    cpSync(await node(), join(root, 'usr/local/bin/node'))
    const npm = await called('sh', ['-c', 'realpath "$(command -v npm)"'])
    cpSync(join(npm, '../..'), join(root, 'usr/local/lib/node_modules/npm'), { recursive: true })
    await called('ln', ['-s', '../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm')])
    mkdirSync(join(root, 'usr/local/etc'), { recursive: true })
    writeFileSync(join(root, 'usr/local/etc/npmrc'), `cache=${NPM_CACHE}\n`)
    mkdirSync(join(root, 'etc/ssl/certs'), { recursive: true })
    if (existsSync(AUTHORITIES)) cpSync(AUTHORITIES, join(root, AUTHORITIES), { dereference: true })
    await buildah('umount', container)
    await buildah('config', '--env', `NODE_EXTRA_CA_CERTS=${AUTHORITIES}`, container)
    await buildah('commit', '--quiet', container, 'localhost/node:24-bookworm-slim')
    await buildah('rm', container)
  }

  const open = async (name: string): Promise<Image> => {
    const container = await buildah('from', '--pull-never', name)
    const [image] = JSON.parse(await buildah('inspect', '--type', 'image', name).then((text) => `[${text}]`))
    const root = await buildah('mount', container)
    const size = Number((await called('du', ['--summarize', '--block-size=1', root])).split(/\s/)[0])
    const spawned = (command: readonly string[], env: Record<string, string> = {}) => {
      const given = Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`])
      const child = spawn(
        'buildah',
        [...options, 'run', '--isolation', 'chroot', ...given, container, '--', ...command],
        {
          stdio: ['ignore', 'pipe', 'pipe'],
        },
      )
      let output = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
      const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
      return { ended, output: () => output }
    }
    return {
      name,
      size,
      config: image.Docker.config,
      run: async (command, env) => {
        const { ended, output } = spawned(command, env)
        return { code: await ended, output: output() }
      },
      start: (command, env) => {
        // buildah passes no signals on. In a chroot a process has the same id inside as outside.
        const { ended, output } = spawned(['sh', '-c', 'echo $$ > /tmp/pid; exec "$@"', 'sh', ...command], env)
        const stop = () => {
          process.kill(Number(readFileSync(join(root, 'tmp/pid'), 'utf8')), 'SIGTERM')
          return ended
        }
        return { output, stop }
      },
    }
  }

  return {
    /** Builds a stage of a Dockerfile with the repository as context. */
    build: async (dockerfile: string, args: Record<string, string>): Promise<Image> => {
      await base()
      const given = Object.entries(args).flatMap(([key, value]) => ['--build-arg', `${key}=${value}`])
      const how = ['--isolation', 'chroot', '--pull-never', '--format', 'docker', '--tag', 'localhost/built']
      // Packages that this machine has fetched already, by their hashes.
      const cache = ['--volume', `${await called('npm', ['config', 'get', 'cache'])}:${NPM_CACHE}`]
      await buildah('bud', ...how, ...cache, '--file', dockerfile, ...given, '.')
      return open('localhost/built')
    },
    close: async () => {
      await buildah('rm', '--all').catch(() => undefined)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
