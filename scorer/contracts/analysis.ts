/**
 * The contract analysis: one call per address and height. Everything it says comes from the chain (and the tables made
 * of it); the body it returns is the record without the fields that differ from answer to answer.
 */
import type { Context } from '../../platform/context/context.ts'
import { OperatorError } from '../../platform/errors.ts'
import type { Network } from '../../schema/networks.ts'
import type { TokenFacts } from '../../schema/records/explained/token-facts.ts'
import type { Requester } from './chain/call.ts'
import { type ChainReader, createChainReader } from './chain/chain.ts'
import { createLocalEvm, type LocalEvm } from './chain/evm/local.ts'
import { ZERO } from './chain/simulator/script.ts'
import { type CodeReader, createCodeReader } from './code/reader.ts'
import { createSourceRegistry, type SourceRegistry } from './code/sources/registry.ts'
import type { Examination } from './examine/examination.ts'
import { examine } from './examine/examine.ts'
import { balancesOf, shownPool } from './market/market.ts'
import { createPrices } from './market/prices.ts'
import type { StakeholderSource, Stakeholders } from './stakeholders/stakeholders.ts'
import { type ContractRegistry, contractRegistry } from './subject/registry.ts'
import { applyCodeModel, codeFeatures, loadCodeModel } from './verdict/code-model.ts'
import { factsOf } from './verdict/facts.ts'
import { type Findings, findingsOf } from './verdict/findings/findings.ts'
import { type HoneypotProof, proveHoneypot } from './verdict/honeypot.ts'
import { indicatorsOf } from './verdict/indicators.ts'
import { applyMarketModel, loadMarketModel } from './verdict/market-model.ts'
import { type ContractReasons, fraudProbability, type Indicators, riskScore, riskStatus } from './verdict/verdict.ts'

/** All that one analysis found, for the record, its explanation and the columns stored beside them. */
export type ContractReport = {
  /** The record without contractAddress, checked_times and updatedAt. */
  body: Record<string, unknown>
  indicators: Indicators
  riskScore: number
  probability: number
  status: 'Fraud' | 'Not Fraud'
  /** Signed by what they add: points for `risk`, weight of the noisy-or for `fraud`. */
  reasons: ContractReasons
  /** Models of code and market behind the probability; the former is `given` where a caller passed one. */
  modelVersion: string
  /** Flags that could not be determined, with why. Shown as 0 outside. */
  unknowns: Record<string, string>
  /** What is known of the token beside the verdict. */
  facts: TokenFacts
  findings: Findings
  /** What was proved of the token as a trap. */
  honeypot: HoneypotProof
  examination: Examination
  token: string
  /** Root creator, empty when unknown, and whether its verdict is Fraud. */
  creator: { address: string; fraud: boolean }
  codeHash: string
  familyHash: string
  computedAt: string
  dataHeight: number
  /** Hash of the block at that height. */
  dataHash: string
}

/** Chance that code alone belongs to a rug; `undefined` when it does not say. */
export type CodeModel = (input: { examination: Examination; indicators: Indicators }) => number | undefined

/** Bounds of an analysis, and what stands in for the registry, the models and the threads of the process. */
export type ContractAnalysisOptions = {
  /** Milliseconds one analysis may take; what is not known by then stays unknown. @default 20_000 */
  deadlineMs: number
  requestMs: number
  /** Calls tried per contract at most. @default 600 */
  probeLimit: number
  /** Existing holders whose sale is simulated. @default 10 */
  holders: number
  /** Registry in place of the network's own, for local chains. @default contractRegistry(network) */
  registry: ContractRegistry
  /** Who is asked whether sources were published; the registry of known code unless told. */
  sources: SourceRegistry
  /** Chance that code alone belongs to a rug, 0..1. */
  codeModel: CodeModel
  /** Runs simulations where the node takes no state overrides; one of its own unless told. */
  evm: LocalEvm
  /** Reads foreign code; one of its own unless told. */
  codes: CodeReader
}

/** The node of one network, and what completes it. `stakeholders` is called for each pinned block. */
export type ContractAnalysisDeps = {
  context: Pick<Context, 'clock'>
  rpc: Requester
  stakeholders: (chain: ChainReader, registry: ContractRegistry) => StakeholderSource
  /** Whether a token stands accused of refusing sales, so that a sale of a plain account is tried; nobody unless told. */
  accused?: (token: string) => Promise<boolean>
  network: Network
  options?: Partial<ContractAnalysisOptions>
}

/**
 * Analyses the contract at an address, pinned to a block (the newest unless told). `undefined` where there is no code.
 */
export type ContractAnalysis = (address: string, asOf?: number | 'latest') => Promise<ContractReport | undefined>

/** Reasons that name a simulation. */
const NOT_RUN = /simulat/
const DEAD = '0x000000000000000000000000000000000000dead'

/**
 * Returns the analysis of one network. It answers `undefined` where there is no code.
 * @throws OperatorError ASSAY_CONTRACT_NETWORK when the network has no contract registry.
 * @throws RetryableError ASSAY_CONTRACT_NODE from the analysis when the node does not answer.
 */
export const createContractAnalysis = (deps: ContractAnalysisDeps): ContractAnalysis => {
  const { context, network } = deps
  const options = deps.options ?? {}
  const registry = options.registry ?? contractRegistry(network)
  if (!registry) {
    throw new OperatorError(
      'ASSAY_CONTRACT_NETWORK',
      `Contracts are not analysed on ${network}. Nothing was read. Ask for a network of the operation's list.`,
    )
  }

  const artifact = options.codeModel ? undefined : loadCodeModel()
  const marketModel = loadMarketModel()
  const codeModel: CodeModel =
    options.codeModel ??
    (({ examination, indicators }) =>
      artifact ? applyCodeModel(artifact, codeFeatures(examination.subject, indicators)) : undefined)

  const evm = options.evm ?? createLocalEvm()
  const codes = options.codes ?? createCodeReader()
  const sources = options.sources ?? createSourceRegistry()
  const prices = createPrices(registry)

  return async (spelling, asOf = 'latest') => {
    const asked = spelling.toLowerCase()
    const started = context.clock.now()
    const chain = await createChainReader(deps.rpc, asOf, {
      requestMs: options.requestMs ?? 5_000,
      endsAt: started + (options.deadlineMs ?? 20_000),
      now: context.clock.now,
      timeStep: registry.timeStep,
      evm,
    })
    const source = deps.stakeholders(chain, registry)
    let described: Promise<Stakeholders> | undefined
    const examination = await examine({
      chain,
      registry,
      codes,
      asked,
      creatorOf: source.creatorOf,
      holdersOf: source.holdersOf,
      poolsOf: source.poolsOf,
      membersOf: source.membersOf,
      givenUp: source.givenUp,
      prices,
      accused: deps.accused ?? (async () => false),
      onMarket: (known) => {
        described = source.describe(known)
        described.catch(() => undefined)
      },
      options: { limit: options.probeLimit ?? 600, holders: options.holders ?? 10 },
    })
    if (!examination) return undefined
    const { subject, market } = examination
    const findings = findingsOf(examination)
    const [stakeholders, burned, openSource] = await Promise.all([
      described ?? source.describe(examination),
      balancesOf(chain, subject.token, [ZERO, DEAD]),
      sources.lookup(subject.runs.map((code) => ({ ...code, chainId: chain.chainId }))),
    ])
    const { indicators, unknowns, evidence, withdrawMissing } = indicatorsOf({
      examination,
      findings,
      stakeholders,
      burned: burned.reduce((sum, held) => sum + held, 0n),
      openSource: openSource.published === true,
      gasTokens: registry.gasTokens,
    })
    const limitation = chain.limitation()
    if (limitation) {
      for (const [name, reason] of Object.entries(unknowns)) {
        if (NOT_RUN.test(reason)) unknowns[name] = `${reason}: ${limitation}`
      }
    }
    if (openSource.published === undefined) unknowns.is_open_source = openSource.evidence
    else evidence.is_open_source = [openSource.evidence]
    const canonical = registry.canonical.includes(subject.token)
    const risk = riskScore(indicators, evidence, unknowns, canonical)
    const models = {
      code: subject.isToken ? codeModel({ examination, indicators }) : undefined,
      market: stakeholders.early && applyMarketModel(marketModel, stakeholders.early),
    }
    const fraud = fraudProbability(indicators, findings, stakeholders, models, canonical)
    const status = fraud.probability >= 0.5 ? 'Fraud' : 'Not Fraud'
    const computedAt = new Date(context.clock.now()).toISOString()
    const owner =
      subject.owner.type === null
        ? {}
        : { owner_name: subject.owner.getter, owner_address: subject.owner.address, owner_type: subject.owner.type }
    const body = {
      message: 'Success',
      pairAddress: shownPool(market),
      contractCreatorAddress: stakeholders.creator === '' ? null : stakeholders.creator,
      risk_score: risk.score,
      risk_status: riskStatus(risk.score),
      status,
      probabilityFraud: fraud.probability,
      chain: network,
      lastChecked: computedAt,
      contractCreationTime: stakeholders.createdAt,
      risk_indicators: indicators,
      forensic_details: {
        owner,
        privilege_withdraw: findings.withdraw.holds ? 1 : 0,
        withdraw_missing: withdrawMissing ? 1 : 0,
        is_open_source: indicators.is_open_source,
        blacklist: indicators.is_blacklisted,
        contract_name: subject.name || openSource.name || '',
        selfdestruct: indicators.selfdestruct,
        is_proxy: indicators.is_proxy,
        approval_abuse: findings.approvalAbuse.holds ? 1 : 0,
      },
      liquidityEvent: stakeholders.events,
      createdAt: computedAt,
    }
    return {
      body,
      indicators,
      riskScore: risk.score,
      probability: fraud.probability,
      status,
      reasons: { risk: risk.reasons, fraud: fraud.reasons },
      modelVersion: `${artifact?.version ?? 'given'} ${marketModel.version}`,
      unknowns,
      facts: factsOf({ examination, stakeholders, trusted: canonical }),
      findings,
      honeypot: proveHoneypot({ examination, stakeholders, registry, limitation }),
      examination,
      token: subject.token,
      creator: { address: stakeholders.creator, fraud: stakeholders.creatorScore?.status === 'Fraud' },
      codeHash: subject.codeHash,
      familyHash: subject.familyHash,
      computedAt,
      dataHeight: chain.height,
      dataHash: chain.hash,
    }
  }
}
