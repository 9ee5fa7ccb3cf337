/** Facilitators over HTTP that contradict themselves, break off, redirect or never stop talking. */
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type Claim, createRemoteFacilitator } from './facilitator.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

const CLAIM = { x402Version: 1, paymentPayload: {}, paymentRequirements: {} } as unknown as Claim
const TIMEOUTS = { verify: 2_000, settle: 2_000 }

const facilitatorOf = async (answer: (response: ServerResponse) => void) => {
  const server = createServer((request, response) => {
    request.resume()
    answer(response)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return createRemoteFacilitator(`http://127.0.0.1:${port}`, async () => undefined, TIMEOUTS)
}
const saying = (status: number, body: string) =>
  facilitatorOf((response) => response.writeHead(status, { 'content-type': 'application/json' }).end(body))

test('passes receipts and refusals through unchanged', async () => {
  const transaction = `0x${'5e'.repeat(32)}`
  const paid = await saying(200, JSON.stringify({ success: true, transaction }))
  expect(await paid.settle(CLAIM)).toEqual({ success: true, transaction })
  const refused = await saying(400, '{"success":false,"errorReason":"insufficient_funds"}')
  expect(await refused.settle(CLAIM)).toMatchObject({ success: false, errorReason: 'insufficient_funds' })
  const invalid = await saying(402, '{"isValid":false,"invalidReason":"insufficient_funds"}')
  expect(await invalid.verify(CLAIM)).toMatchObject({ isValid: false })
})

test.each([
  ['a success with an error status', 400, '{"success":true,"isValid":true,"transaction":"0x1"}'],
  ['a success with a status of an outage', 502, '{"success":true,"isValid":true,"transaction":"0x1"}'],
  ['half an answer', 200, '{"success":true,"isV'],
  ['a page', 200, '<html>'],
  ['a success whose transaction fits into no header', 200, `{"success":true,"transaction":"${'x'.repeat(20_000)}"}`],
  ['a success that is a text', 200, '{"success":"true","isValid":"true"}'],
])('%s is no answer: nothing is known then', async (_, status, body) => {
  const facilitator = await saying(status, body)
  await expect(facilitator.settle(CLAIM)).rejects.toMatchObject({ code: 'ASSAY_PAYMENT_FACILITATOR' })
  await expect(facilitator.verify(CLAIM)).rejects.toMatchObject({ code: 'ASSAY_PAYMENT_FACILITATOR' })
})

test('aborts an endless response after a megabyte', async () => {
  let sent = 0
  const facilitator = await facilitatorOf((response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const more = () => {
      while (!response.destroyed && sent < 2 ** 28) {
        sent += 65_536
        if (!response.write(Buffer.alloc(65_536, 0x20))) return
      }
    }
    response.on('drain', more)
    more()
  })
  await expect(facilitator.settle(CLAIM)).rejects.toMatchObject({ code: 'ASSAY_PAYMENT_FACILITATOR' })
  // What was on its way in buffers of both sides, of a quarter of a gigabyte.
  expect(sent).toBeLessThan(32 * 1024 * 1024)
})

test('does not follow redirects of a facilitator', async () => {
  const facilitator = await facilitatorOf((response) =>
    response.writeHead(307, { location: 'http://127.0.0.1:1/settle' }).end(),
  )
  await expect(facilitator.settle(CLAIM)).rejects.toMatchObject({ code: 'ASSAY_PAYMENT_FACILITATOR' })
})
