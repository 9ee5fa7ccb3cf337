/** The providers of all operations. */
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

/** Parts of the scorer in this process. */
export type ProvidersDeps = {
  store: Store
  clock: Clock
  rescore: Rescore
  profiles: Profiles
  /** Undefined without a configured node, which contract analysis needs. */
  contracts: ContractRecords | undefined
  /** Publishes computed fraud records to other replicas and subscribers. */
  publish: (records: readonly WalletRecord[]) => Promise<void>
  /** Queues the recipients of wallets whose verdict changed for rescoring. */
  spread?: QueueReceivers | undefined
  askAuthorities?: AskAuthorities | undefined
}

/** A provider for each available operation. */
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
