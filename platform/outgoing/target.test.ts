import { expect, test } from 'vitest'
import { isPublicAddress } from './public-address.ts'
import { addressesOf, parseTarget, TargetRefused } from './target.ts'

const strict = { allowLoopback: false }
const open = new AbortController().signal

test.each([
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:8.8.8.8',
  '::ffff:10.0.0.1',
  '::ffff:a9fe:a9fe',
  '64:ff9b::a9fe:a9fe',
  'fe80::1',
  'fe80::1%eth0',
  'fd00:ec2::254',
  'fc00::1',
  'ff02::1',
  '2001::1',
  '2001:db8::1',
  '2002:a9fe:a9fe::1',
  '3fff::1',
  'localhost',
  '',
])('%s is no public address', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(['8.8.8.8', '100.63.255.255', '172.32.0.1', '192.0.1.1', '2606:4700::1111', '2a00:1450:4001:80b::200e'])(
  '%s is a public address',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)

test.each([
  'http://example.org/',
  'ftp://example.org/',
  'https://example.org:22/',
  'https://example.org:6379/',
  'https://user:password@example.org/',
  'https://localhost/',
  'https://localhost./',
  'https://intranet/',
  'https://127.0.0.1/',
  // All of these are spellings of 127.0.0.1 or 169.254.169.254.
  'https://2130706433/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://127.1/',
  'https://①②⑦.0.0.1/',
  'https://[::1]/',
  'https://[::ffff:169.254.169.254]/',
  'https://169.254.169.254/latest/meta-data/',
  'https://3232235777/',
  'nonsense',
])('%s is refused', (url) => {
  expect(() => parseTarget(url, strict)).toThrow(TargetRefused)
})

test('accepts https URLs with host names, and drops the fragment', () => {
  expect(parseTarget('https://example.org:8443/a?b=c#d', strict).href).toBe('https://example.org:8443/a?b=c')
})

test('refuses a name if any of its addresses is not public', async () => {
  const url = new URL('https://example.org/')
  const resolve = (found: string[]) => ({ ...strict, resolve: async () => found })
  expect(await addressesOf(url, resolve(['8.8.8.8', '2606:4700::1111']), open)).toHaveLength(2)
  for (const found of [['8.8.8.8', '10.0.0.1'], ['::ffff:127.0.0.1'], []]) {
    await expect(addressesOf(url, resolve(found), open)).rejects.toThrow(TargetRefused)
  }
})

test('allows loopback only where configured, and other private addresses never', async () => {
  const rules = { allowLoopback: true, resolve: async () => ['10.0.0.1'] }
  expect(parseTarget('http://127.0.0.1:9999/x', rules).port).toBe('9999')
  expect(() => parseTarget('http://10.0.0.1/', rules)).toThrow(TargetRefused)
  expect(() => parseTarget('http://example.org/', rules)).toThrow(TargetRefused)
  await expect(addressesOf(new URL('https://example.org/'), rules, open)).rejects.toThrow(TargetRefused)
})
