/**
 * Flags on real execution. A scenario is executed on anvil; verdicts on everyone in it are taken four times: while nothing is
 * final, after a reorg that removes the whole scenario, after one that restores it, and once all of it is final. Indexer
 * and ingest are restarted between them.
 */
import type { Address } from 'viem'
import { afterAll, beforeAll, expect } from 'vitest'
import { loadUniswap, placeContracts } from '../../../deploy/demo/contracts/contracts.ts'
import { createRpc } from '../../../deploy/demo/node/rpc.ts'
import { fraudBody } from '../../../schema/records/fraud.ts'
import type { Verdict } from '../../../scorer/scoring/verdict.ts'
import { type Anvil, startAnvil } from '../chain/anvil.ts'
import { compiledFile, creationOf } from '../contracts/solidity/files.ts'
import { BEGINNING, nameOf, type Scenario, who } from './scenario.ts'
import { openVerdicts, type Verdicts } from './verdicts.ts'

type Scored = ReadonlyMap<string, Verdict>
type Flags = Record<string, string>

/** Blocks until one is final on anvil: twice the slots of an epoch, whose number is 32 by default. */
const UNTIL_FINAL = 64

/** All addresses in the tables: parties of movements, signers, listed addresses, and contracts. */
const EVERYONE = `
  SELECT DISTINCT address FROM (
    SELECT address FROM ledger_all UNION ALL SELECT arrayJoin([sender, receiver]) FROM transactions_all
    UNION ALL SELECT contract FROM creations_all UNION ALL SELECT subject FROM authority_all
  ) WHERE address != ''`

/** Set flags, with their sources. */
const flagsOf = (scored: Verdict | undefined): Flags => {
  if (!scored?.seen) return {}
  const { forensic_details } = fraudBody.parse(JSON.parse(scored.body))
  return Object.fromEntries(Object.entries(forensic_details).filter(([, value]) => value !== '0' && value !== ''))
}
const accusedOf = (scored: Scored): Record<string, Flags> =>
  Object.fromEntries(
    [...scored].map(([address, one]) => [address, flagsOf(one)] as const).filter(([, flags]) => 'data_source' in flags),
  )

/** Transactions that evidence names, at any depth. */
export const transactionsIn = (evidence: unknown, key = ''): string[] => {
  if (Array.isArray(evidence)) return evidence.flatMap((item) => transactionsIn(item, key))
  if (typeof evidence === 'object' && evidence !== null)
    return Object.entries(evidence).flatMap(([name, value]) => transactionsIn(value, name))
  return /transaction|In$/.test(key) && typeof evidence === 'string' ? [evidence] : []
}

export type FlagScenario = {
  verdicts: () => Verdicts
  anvil: () => Anvil
  /** The last verdict on a person. */
  of: (name: string) => Verdict | undefined
  /** Asserts exactly these confirmed flags and sources, whose evidence names transactions of the scenario. @returns evidence by flag */
  confirmed: (name: string, flags: Flags) => Record<string, Record<string, unknown>>
  /** Asserts that they have no flags and are not considered frauds. */
  clear: (...names: readonly string[]) => void
  /** Asserts that these are the only flagged ones in the scenario. */
  onlyAccused: (...names: readonly string[]) => void
  /** Asserts that verdicts were the same before anything was final, except for the flags in `exceptions`, which only read final rows. */
  sameWhileHot: (...exceptions: readonly string[]) => void
  /** Asserts that nobody was flagged after the reorg that removed the scenario, except those accused by loaded labels. */
  clearWhileUndone: (...labelled: readonly string[]) => void
}

/** Creation codes of a Solidity file's contracts, by name. @throws Error with the compiler's message, or if the name is unknown */
export const compiled = (file: URL): ((name: string) => `0x${string}`) => {
  const contracts = compiledFile(file)
  return (name) => `0x${creationOf(contracts, name).slice(2)}`
}

/** Executes the scenario before the tests of the file. `prepare` may change the chain's state or the tables before it. */
export const flagScenario = (
  scenario: Scenario,
  prepare: (outcome: {
    anvil: Anvil
    verdicts: Verdicts
    place: (address: Address, creation: string) => Promise<void>
  }) => Promise<void> = async () => {},
): FlagScenario => {
  let anvil: Anvil
  let verdicts: Verdicts
  const people = new Set<string>()
  let hot: Scored
  let undone: Scored
  let last: Scored

  const judge = async (final = false): Promise<Scored> => {
    await verdicts.start()
    await verdicts.caughtUp()
    if (final) await verdicts.settled()
    for (const { address } of await verdicts.store.query<{ address: string }>(EVERYONE)) people.add(address)
    const scored = await verdicts.score([...people])
    await verdicts.stop()
    return scored
  }

  beforeAll(async () => {
    anvil = await startAnvil({
      args: ['--no-mining', '--auto-impersonate', '--gas-limit', '3000000000', '--timestamp', String(BEGINNING - 60)],
    })
    verdicts = await openVerdicts(anvil)
    const rpc = createRpc(anvil.url)
    await placeContracts(rpc, loadUniswap(), { issuer: who('issuer'), keeper: who('keeper') })
    const place = async (address: Address, creation: string) => {
      await anvil.rpc(
        'anvil_setCode',
        address,
        await anvil.rpc('eth_call', { data: creation, gas: '0xb71b00' }, 'latest'),
      )
    }
    await prepare({ anvil, verdicts, place })
    let before = await anvil.rpc<string>('evm_snapshot')
    const rewind = async () => {
      await anvil.rpc('evm_revert', before)
      before = await anvil.rpc<string>('evm_snapshot')
    }
    const { blocks } = await scenario.execute(anvil.url)
    hot = await judge()
    await rewind()
    await anvil.mine(blocks + 1)
    undone = await judge()
    await rewind()
    await scenario.execute(anvil.url)
    await anvil.mine(UNTIL_FINAL + 2)
    last = await judge(true)
  }, 120_000)
  afterAll(async () => {
    await verdicts?.close()
    await anvil?.stop()
  })

  const of = (name: string) => last.get(who(name))
  return {
    verdicts: () => verdicts,
    anvil: () => anvil,
    of,
    confirmed: (name, flags) => {
      const scored = of(name)
      expect(flagsOf(scored), name).toEqual(flags)
      expect({ status: scored?.status, probability: scored?.probability }).toEqual({ status: 'Fraud', probability: 1 })
      const reasons = scored!.reasons.filter(({ code }) => code.toLowerCase() in flags)
      for (const { code, evidence } of reasons) {
        const named = transactionsIn(evidence)
        const found = named.filter((hash) => scenario.executed().has(hash))
        expect({ code, named }, `${name}: transactions of the scenario`).toEqual({ code, named: found })
      }
      return Object.fromEntries(reasons.map(({ code, evidence }) => [code.toLowerCase(), evidence]))
    },
    clear: (...names) => {
      for (const name of names) {
        expect({ name, flags: flagsOf(of(name)) }).toEqual({ name, flags: {} })
        expect(of(name)?.probability, name).toBeLessThan(0.5)
      }
    },
    onlyAccused: (...names) =>
      expect(Object.keys(accusedOf(last)).map(nameOf).sort()).toEqual(names.map(who).map(nameOf).sort()),
    sameWhileHot: (...exceptions) => {
      const without = (all: Record<string, Flags>) =>
        Object.fromEntries(Object.entries(all).filter(([address]) => !exceptions.map(who).includes(who(address))))
      expect(without(accusedOf(hot))).toEqual(without(accusedOf(last)))
    },
    clearWhileUndone: (...labelled) => expect(Object.keys(accusedOf(undone))).toEqual(labelled.map(who)),
  }
}
