import { expect, test } from 'vitest'
import { sortError } from './errors.ts'

const doing = { what: 'insert', label: 'transactions' } as const

test.each([
  [
    'a full disk, as chDB says it',
    new Error('Code: 243. DB::Exception: Cannot reserve 1.00 MiB, not enough space. (NOT_ENOUGH_SPACE)'),
    'ASSAY_STORE_DISK_FULL',
  ],
  [
    'a full disk, as a server says it',
    Object.assign(new Error('Cannot reserve'), { code: '243' }),
    'ASSAY_STORE_DISK_FULL',
  ],
  [
    'a full disk, as the system says it',
    new Error('Code: 75. DB::ErrnoException: Cannot write to file x, errno: 28, strerror: No space left on device.'),
    'ASSAY_STORE_DISK_FULL',
  ],
  [
    'a socket that broke',
    Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
    'ASSAY_STORE_UNAVAILABLE',
  ],
  ['too much memory', Object.assign(new Error('memory'), { code: '241' }), 'ASSAY_STORE_UNAVAILABLE'],
])('%s is temporary, so callers retry and nobody reports a bug', (_, error, code) => {
  expect(sortError(error, doing)).toMatchObject({ code, exitCode: 75 })
})

test('a statement that the store rejects is a bug', () => {
  expect(sortError(Object.assign(new Error('x'), { code: '62' }), doing)).toMatchObject({
    code: 'ASSAY_STORE_STATEMENT_REFUSED',
    exitCode: 70,
  })
})
