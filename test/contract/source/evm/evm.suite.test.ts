/** The suite of every source, run by that of Ethereum's family: for finality by tag, for instant one, and for what networks add to blocks. */
import { createEvmSourceWorld } from '../../../kit/source-worlds/evm.ts'
import { THOROUGH } from '../../../kit/thorough.ts'
import { describeSource } from '../source.suite.ts'

for (const network of THOROUGH ? (['ETH', 'BNB', 'POLYGON', 'BASE', 'HAQQ'] as const) : (['POLYGON', 'HAQQ'] as const))
  describeSource(network, () => createEvmSourceWorld(network))
