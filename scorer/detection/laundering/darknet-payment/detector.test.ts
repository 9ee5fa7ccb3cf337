import { expect, test } from 'vitest'
import { crowd, ETH, flagsKit, flagsOf, listed, pay } from '../../../../test/contract/scoring/flags.kit.ts'
import { named } from '../../../../test/kit/world/transactions.ts'
import { writeLabels } from '../../../ledger/labels/write.ts'

const { clean, happened, store, verdicts } = flagsKit()

test('who pays a dark-web service deals with it; who is paid by it, pays trifles, for others, or someone else does not', async () => {
  const label = (name: string, what: string) => listed(name, what, { class: 'reported' })
  await writeLabels(store(), [label('market', 'darknet'), label('scam', 'phishing')])
  await happened(
    pay('buyer', 'market', 1),
    pay('market', 'paid', 2),
    pay('paid', 'shop', 3),
    pay('curious', 'market', 4, ETH / 1_000n),
    pay('fooled', 'scam', 5),
    // Pay out for customers, many or some; a busy person who comes back does not.
    crowd('c', 51).map((customer, n) => pay('processor', customer, 10 + n)),
    [70, 71, 72].map((block) => pay('processor', 'market', block)),
    crowd('d', 21).map((customer, n) => pay('exchange', customer, 40 + n)),
    pay('exchange', 'market', 70),
    crowd('e', 21).map((payee, n) => pay('busy', payee, 40 + n)),
    [70, 71, 72].map((block) => pay('busy', 'market', block)),
  )
  const [buyer, busy] = await verdicts('buyer', 'busy')
  expect(flagsOf(busy)).toMatchObject({ darkweb_transactions: '1' })
  expect(flagsOf(buyer)).toEqual({ darkweb_transactions: '1', data_source: 'darknet-payment' })
  expect(buyer!.reasons[0]).toMatchObject({
    evidence: {
      services: [named('market')],
      payments: [{ amount: { amount: '1', unit: 'ETH', usd: '2000.00' }, transaction: '0x1-0' }],
    },
  })
  await clean('paid', 'curious', 'fooled', 'shop', 'processor', 'exchange')
})
