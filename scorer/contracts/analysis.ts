/**
 * Contract analysis: one call per address and height. Facts come from the chain and the tables made of it. The returned
 * body is the record without the fields that change with every answer.
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
import { balancesOf, poolAddressOf } from './market/market.ts'
import { createPrices } from './market/prices.ts'
import type { StakeholderSource, Stakeholders } from './stakeholders/stakeholders.ts'
import { DEAD } from './subject/blackhole.ts'
import { type ContractRegistry, contractRegistry } from './subject/registry.ts'
import { applyCodeModel, codeFeatures, loadCodeModel } from './verdict/code-model.ts'
import { factsOf } from './verdict/facts.ts'
import { type Findings, findingsOf } from './verdict/findings/findings.ts'
import { type HoneypotProof, proveHoneypot } from './verdict/honeypot.ts'
import { indicatorsOf } from './verdict/indicators.ts'
import { applyMarketModel, loadMarketModel } from './verdict/market-model.ts'
import { type ContractReasons, fraudProbability, type Indicators, riskScore, riskStatus } from './verdict/verdict.ts'

/** Everything one analysis found: the record, its explanation, and the columns stored beside them. */
export type ContractReport = {
  /** The record without contractAddress, checked_times and updatedAt. */
  body: Record<string, unknown>
  indicators: Indicators
  riskScore: number
  probability: number
  status: 'Fraud' | 'Not Fraud'
  /** Contributions are points for `risk` and noisy-or weights for `fraud`. */
  reasons: ContractReasons
  /** Versions of the code and market models; the first is `given` when the caller passed a code model. */
  modelVersion: string
  /** Indicators that could not be determined, with the reason. The record shows them as 0. */
  unknowns: Record<string, string>
  /** Facts about the token that do not change the verdict. */
  facts: TokenFacts
  findings: Findings
  /** Whether the analysis proved the token to be a honeypot. */
  honeypot: HoneypotProof
  examination: Examination
  token: string
  /** Root creator, empty when unknown, and whether its verdict is Fraud. */
  creator: { address: string; fraud: boolean }
  codeHash: string
  familyHash: string
  computedAt: string
  dataHeight: number
  /** Hash of the block at `dataHeight`. */
  dataHash: string
}

/** Probability (0..1) that code like this belongs to a rug; `undefined` when the model cannot tell. */
export type CodeModel = (input: { examination: Examination; indicators: Indicators }) => number | undefined

/** Limits of an analysis, and replacements for the registry, the models and the worker threads. */
export type ContractAnalysisOptions = {
  /** Milliseconds one analysis may take. Facts not known by then stay unknown. @default 20_000 */
  deadlineMs: number
  requestMs: number
  /** Maximum number of calls tried per contract. @default 600 */
  probeLimit: number
  /** Existing holders whose sale is simulated. @default 10 */
  holders: number
  /** Replaces the network's registry, for local chains. @default contractRegistry(network) */
  registry: ContractRegistry
  /** Looks up whether sources were published. Defaults to the registry of known code. */
  sources: SourceRegistry
  /** Replaces the committed code model. */
  codeModel: CodeModel
  /** Runs simulations when the node does not support state overrides. Created when absent. */
  evm: LocalEvm
  /** Reads contract code in worker threads. Created when absent. */
  codes: CodeReader
}

/** The node of one network and its other sources. `stakeholders` is called once per pinned block. */
export type ContractAnalysisDeps = {
  context: Pick<Context, 'clock'>
  rpc: Requester
  stakeholders: (chain: ChainReader, registry: ContractRegistry) => StakeholderSource
  /**
   * Whether the token has a honeypot label in force; if so, a sale from an account without code is simulated too.
   * Defaults to no.
   */
  hasHoneypotLabel?: (token: string) => Promise<boolean>
  network: Network
  options?: Partial<ContractAnalysisOptions>
}

/**
 * Analyses the contract at an address, pinned to a block (the newest by default). `undefined` when there is no code.
 */
export type ContractAnalysis = (address: string, asOf?: number | 'latest') => Promise<ContractReport | undefined>

/** Matches reasons that name a simulation. The limitation of the node is appended to them. */
const NAMES_SIMULATION = /simulat/

/**
 * Creates the analysis of one network.
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
      `Contract analysis does not support ${network}. Nothing was read. Use a network that /rug/pull-check supports.`,
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
      isRenounced: source.isRenounced,
      prices,
      hasHoneypotLabel: deps.hasHoneypotLabel ?? (async () => false),
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
      sources.lookup(subject.runningCode.map((code) => ({ ...code, chainId: chain.chainId }))),
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
        if (NAMES_SIMULATION.test(reason)) unknowns[name] = `${reason}: ${limitation}`
      }
    }
    if (openSource.published === undefined) unknowns.is_open_source = openSource.evidence
    else evidence.is_open_source = [openSource.evidence]
    const canonical = registry.canonical.includes(subject.token)
    const risk = riskScore(indicators, evidence, unknowns, canonical, findings)
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
      pairAddress: poolAddressOf(market),
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
