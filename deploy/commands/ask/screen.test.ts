import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { screenFile } from './screen.ts'

test('sends the login of the URL, and prints it in no message', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-screen-'))
  const list = join(folder, 'list.csv')
  writeFileSync(list, `network,address\nETH,0x${'a'.repeat(40)}\n`)
  const logins: unknown[] = []
  const server = createServer((request, response) => {
    logins.push(request.headers.authorization)
    response.writeHead(401).end('{"message":"No\\u001b[2J\\nsuch key.","error":"UNAUTHORIZED"}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const options = { key: 'key', operation: 'fraud_check' }
  await expect(screenFile(list, { ...options, url: `http://user:SECRET@${host}` })).rejects.toThrow(
    `http://${host}/ refused: No [2J such key. Nothing was saved.`,
  )
  expect(logins).toEqual([`Basic ${Buffer.from('user:SECRET').toString('base64')}`])
  await expect(screenFile(list, { ...options, url: 'user:SECRET@api.example' })).rejects.toThrow(
    /^--url api\.example is not an http/,
  )
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})
