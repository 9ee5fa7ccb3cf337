/** Pools that keep more of a trade than those of their exchange are known to: the test chain's pairs take 0.3 %, and BNB's first exchange 0.25 %. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../../platform/context/clock.ts'
import { createContractAnalysis } from '../../../../scorer/contracts/analysis.ts'
import { createStakeholders } from '../../../../scorer/contracts/stakeholders/node.ts'
import { SHARED_THREADS } from '../../../kit/contracts/analysis-threads.ts'
import { type Lab, startLab } from '../../../kit/contracts/markets/exchange-chain.ts'
import { compiledFile } from '../../../kit/contracts/solidity/files.ts'
import { COIN } from '../../../kit/contracts/tokens/listed-tokens.ts'

let lab: Lab
const contracts = compiledFile(new URL('../../../kit/contracts/tokens/population/all.sol', import.meta.url))

beforeAll(async () => {
  lab = await startLab(56)
  await lab.installExchange('BNB')
})
afterAll(() => lab?.stop())

test.each([
  ['Mailroom', 0],
  ['Marlow', 1],
])(
  '%s is bought and sold through the router where trades at the pool are refused: is_honeypot %i',
  async (name, trap) => {
    const maker = lab.accounts[0] ?? ''
    const contract = contracts.get(name)
    const token = await lab.deploy(maker, contract?.creation ?? '')
    const pair = await lab.addLiquidity('BNB', maker, token, 500_000n * COIN, 20n * COIN)
    if (contract?.abi.some((item) => item.name === 'setPool'))
      await lab.send({ from: maker, to: token, data: `0x4437152a${pair.slice(2).padStart(64, '0')}` })
    const analyse = createContractAnalysis({
      context: { clock: systemClock },
      rpc: lab,
      network: 'BNB',
      stakeholders: createStakeholders({ network: 'BNB' }),
      options: SHARED_THREADS,
    })
    const report = await analyse(token)
    expect(report?.indicators).toMatchObject({ is_honeypot: trap, cannot_buy: 0 })
    expect(report?.unknowns).not.toHaveProperty('is_honeypot')
    expect(report?.indicators.sell_tax).toBeLessThan(trap ? 101 : 1)
  },
)
