/** Contracts that the simulation adds, to be named in calls: one that refuses, one that fails, one that agrees. */
import type { SimulationSetup } from '../trade/simulation-setup.ts'

/** Addresses of the added contracts. */
export type ProbeContracts = {
  /** Returns 0 to every call. If a token delegates to it, it empties the victim's balance and returns 1. */
  refuser: string
  /** Accepts plain coin transfers and reverts on every other call. */
  failer: string
  /** Returns 1 to every call. */
  agreer: string
}

/** PUSH1 0, PUSH1 0, MSTORE, PUSH1 32, PUSH1 0, RETURN. */
export const RETURNS_ZERO = '0x600060005260206000f3'
/** PUSH1 1, PUSH1 0, MSTORE, PUSH1 32, PUSH1 0, RETURN. */
export const RETURNS_ONE = '0x600160005260206000f3'
/** CALLDATASIZE, PUSH1 5, JUMPI, STOP, JUMPDEST, PUSH1 0, PUSH1 0, REVERT. */
export const REVERTS = '0x36600557005b60006000fd'

/** PUSH1 0, PUSH32 slot, SSTORE, followed by `RETURNS_ONE`. */
const emptySlot = (slot: string): string => `60007f${slot.slice(2)}55${RETURNS_ONE.slice(2)}`
/** PUSH20 own address, ADDRESS, EQ, PUSH1 end, JUMPI, `code`, JUMPDEST: skips `code` unless another contract delegates here. */
const onlyDelegated = (address: string, code: string): string =>
  `73${address.slice(2)}301460${(26 + code.length / 2).toString(16).padStart(2, '0')}57${code}5b`
const refuserCode = (address: string, slot: string | undefined): string =>
  `0x${slot === undefined ? '' : onlyDelegated(address, emptySlot(slot))}${RETURNS_ZERO.slice(2)}`

/** Adds the contracts to the overrides of `simulation`. The refuser empties `simulation.victimSlot`, if that is set. */
export const addProbeContracts = ({ fresh, overrides, victimSlot }: SimulationSetup): ProbeContracts => {
  const [refuser, failer, agreer] = [fresh('refuser'), fresh('failer'), fresh('agreer')]
  overrides[refuser] = { code: refuserCode(refuser, victimSlot) }
  overrides[failer] = { code: REVERTS }
  overrides[agreer] = { code: RETURNS_ONE }
  return { refuser, failer, agreer }
}
