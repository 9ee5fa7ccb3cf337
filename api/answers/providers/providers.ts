/** The providers of all operations, out of the parts of the scorer that a process has. */
import type { Clock } from '../../../platform/context/clock.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { WalletRecord } from '../../../schema/records/stored.ts'
import type { ContractRecords } from '../../../scorer/contracts/records/records.ts'
import type { AskAuthorities } from '../../../scorer/ledger/authorities/ask.ts'
import type { Profiles } from '../../../scorer/profile/profile.ts'
import type { QueueReceivers } from '../../../scorer/rescore/receivers.ts'
import type { Rescore } from '../../../scorer/rescore/rescore.ts'
import { createContractProvider } from './contract.ts'
import { createFraudProvider } from './fraud.ts'
import { createProfileProviders } from './profile.ts'
import type { Providers } from './provider.ts'

/** The parts of the scorer that this process has. */
export type ProvidersDeps = {
  store: Store
  clock: Clock
  rescore: Rescore
  profiles: Profiles
  /** Undefined where no node is configured: contracts are analysed by asking the chain. */
  contracts: ContractRecords | undefined
  /** Tells other replicas and subscribers of fraud records that were computed here. */
  publish: (records: readonly WalletRecord[]) => Promise<void>
  /** Has those scored again who were paid by wallets of which something is known now. */
  spread?: QueueReceivers | undefined
  askAuthorities?: AskAuthorities | undefined
}

/** A provider for each operation that can be answered here. Without nodes there is none for contracts. */
export const createProviders = ({
  store,
  clock,
  rescore,
  profiles,
  contracts,
  publish,
  spread,
  askAuthorities,
}: ProvidersDeps): Providers => ({
  fraud_check: createFraudProvider({ store, clock, rescore, publish, askAuthorities, spread }),
  ...createProfileProviders({ store, profiles, publish, spread }),
  ...(contracts && { rug_pull: createContractProvider(contracts) }),
})
