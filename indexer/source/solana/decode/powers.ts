/** Delegates of token accounts, authorities of mints, accounts and programs, freezes, and creations. */
import type { ApprovalRow, AuthorityRow, CreationRow } from '../../../../schema/block.ts'
import { keyAt, numberAt } from './data.ts'
import type { Instruction } from './instructions.ts'
import {
  AUTHORITY_KINDS,
  EXTENSION_CALL,
  isTokenProgram,
  LOADER,
  LOADER_CALL,
  SYSTEM,
  SYSTEM_CALL,
  TOKEN_CALL,
} from './programs.ts'
import { type HeadOf, type Transaction, tokenAmount } from './transaction.ts'

type Powers = { approvals: ApprovalRow[]; authority: AuthorityRow[]; creations: CreationRow[] }

const ACCOUNT_OWNER = 'account_owner'
/** Offset of the optional key in `setAuthority`: after call, kind and flag. */
const NEW_AUTHORITY_PLACE = 3
const MINT_AUTHORITY_PLACE = 2
/** Offset of the first key in an instruction of an extension: after call and sub-call. */
const EXTENSION_KEY_PLACE = 2
const KEY_BYTES = 32

/** Rows of the instructions that change powers. If the holder did not sign, a program acted for it, and the actor is the payer. */
export const powersOf = ({ payer, instructions, tokenAccounts, signers }: Transaction, headOf: HeadOf): Powers => {
  const powers: Powers = { approvals: [], authority: [], creations: [] }
  const ownerOf = (account: string, event: number) => tokenAccounts.at(account, event)?.owner ?? account
  const actorOf = (holder: string) => (signers.has(holder) ? holder : payer)

  const approve = (
    { event }: Instruction,
    account: string,
    spender: string,
    mint: string | undefined,
    amount: bigint,
  ) => {
    const owner = ownerOf(account, event)
    const asset = mint ?? tokenAccounts.at(account, event)?.mint ?? ''
    const initiator = actorOf(owner)
    powers.approvals.push({
      ...headOf(event),
      owner,
      spender,
      asset,
      kind: 'fungible',
      amount: String(amount),
      initiator,
    })
  }
  const act = (
    { event }: Instruction,
    row: Pick<AuthorityRow, 'authority' | 'event' | 'subject' | 'detail'> & { by: string },
  ) => {
    const { by, ...rest } = row
    powers.authority.push({ ...headOf(event), ...rest, actor: actorOf(by), amount: '0' })
  }
  const create = ({ event }: Instruction, contract: string, creator: string) => {
    powers.creations.push({
      ...headOf(event),
      contract,
      event: 'create',
      creator,
      root_creator: payer,
      code_hash: '',
      code_size: 0,
    })
  }

  const setAuthority = (one: Instruction, account: string, current: string) => {
    const data = one.data()
    const kind = AUTHORITY_KINDS[data[1] ?? -1] ?? `authority_${data[1]}`
    const next = data[2] === 1 ? (keyAt(data, NEW_AUTHORITY_PLACE) ?? '') : ''
    if (kind === ACCOUNT_OWNER) {
      act(one, { authority: account, event: 'owner_change', subject: next, detail: current, by: current })
    } else if (next === '') {
      act(one, { authority: account, event: 'role_revoke', subject: current, detail: kind, by: current })
    } else {
      act(one, { authority: account, event: 'role_grant', subject: next, detail: kind, by: current })
    }
  }

  /** Extensions may let a program see and refuse every transfer of a mint, or somebody stop them all. 32 zeros mean no key. */
  const readExtension = (one: Instruction, mint: string, by: string) => {
    const data = one.data()
    const grant = (subject: string, detail: string) =>
      act(one, { authority: mint, event: 'role_grant', subject, detail, by })
    const keyOf = (place: number) => keyAt(data, place) ?? SYSTEM
    if (data[0] === TOKEN_CALL.transferHook) {
      const first = data[1] === EXTENSION_CALL.initialize
      if (!first && data[1] !== EXTENSION_CALL.update) return
      const program = keyOf(first ? EXTENSION_KEY_PLACE + KEY_BYTES : EXTENSION_KEY_PLACE)
      if (program !== SYSTEM) grant(program, 'transfer_hook')
      else if (!first) act(one, { authority: mint, event: 'role_revoke', subject: '', detail: 'transfer_hook', by })
    } else if (data[1] === EXTENSION_CALL.initialize) {
      if (keyOf(EXTENSION_KEY_PLACE) !== SYSTEM) grant(keyOf(EXTENSION_KEY_PLACE), 'pause')
    } else if (data[1] === EXTENSION_CALL.pause || data[1] === EXTENSION_CALL.resume) {
      const event = data[1] === EXTENSION_CALL.pause ? 'pause' : 'unpause'
      act(one, { authority: mint, event, subject: by, detail: '', by })
    }
  }

  const readToken = (one: Instruction) => {
    const data = one.data()
    const [first, second, third] = one.accounts
    if (first === undefined) return
    const amount = tokenAmount(data)
    switch (data[0]) {
      case TOKEN_CALL.initializeMint:
      case TOKEN_CALL.initializeMint2:
        return create(one, first, keyAt(data, MINT_AUTHORITY_PLACE) ?? payer)
      case TOKEN_CALL.approve:
        if (second !== undefined && amount !== undefined) approve(one, first, second, undefined, amount)
        return
      case TOKEN_CALL.approveChecked:
        if (third !== undefined && amount !== undefined) approve(one, first, third, second, amount)
        return
      case TOKEN_CALL.revoke:
        // An account has at most one delegate, which the instruction does not name.
        return approve(one, first, '', undefined, 0n)
      case TOKEN_CALL.setAuthority:
        if (second !== undefined) setAuthority(one, first, second)
        return
      case TOKEN_CALL.freeze:
      case TOKEN_CALL.thaw: {
        if (second === undefined || third === undefined) return
        const event = data[0] === TOKEN_CALL.freeze ? 'freeze' : 'unfreeze'
        return act(one, { authority: second, event, subject: ownerOf(first, one.event), detail: first, by: third })
      }
      case TOKEN_CALL.initializePermanentDelegate: {
        const subject = keyAt(data, 1) ?? ''
        return act(one, { authority: first, event: 'role_grant', subject, detail: 'permanent_delegate', by: payer })
      }
      case TOKEN_CALL.transferHook:
      case TOKEN_CALL.pausable:
        return readExtension(one, first, second ?? payer)
      default:
    }
  }

  const readLoader = (one: Instruction) => {
    const [first, second, third] = one.accounts
    const call = numberAt(one.data(), 0)
    if (call === LOADER_CALL.deploy && third !== undefined) create(one, third, first ?? payer)
    else if (call === LOADER_CALL.upgrade && second !== undefined && third !== undefined) {
      const by = one.accounts[6] ?? payer
      act(one, { authority: second, event: 'upgrade', subject: third, detail: '', by })
    } else if (call === LOADER_CALL.setAuthority && first !== undefined && second !== undefined) {
      act(one, { authority: first, event: 'admin_change', subject: third ?? '', detail: second, by: second })
    }
  }

  for (const one of instructions) {
    if (isTokenProgram(one.program)) readToken(one)
    else if (one.program === LOADER) readLoader(one)
    else if (one.program === SYSTEM && numberAt(one.data(), 0) === SYSTEM_CALL.assign && one.accounts[0]) {
      const [account] = one.accounts
      act(one, {
        authority: account,
        event: 'owner_change',
        subject: keyAt(one.data(), 4) ?? '',
        detail: '',
        by: account,
      })
    }
  }
  return powers
}
