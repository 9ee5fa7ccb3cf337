/**
 * Types that allow only unambiguous evidence. Amounts must be an `Amount` (exact decimal text with a unit). Plain numbers
 * compile only under the names listed below.
 */
import type { Amount } from '../../schema/records/explained/explanations.ts'

/** Names of counts. */
type Count =
  | 'affiliates'
  | 'authorities'
  | 'buyers'
  | 'depositors'
  | 'events'
  | 'failedSellers'
  | 'holders'
  | 'hops'
  | 'independent'
  | 'losers'
  | 'owners'
  | 'ownEvents'
  | 'payers'
  | 'receivers'
  | 'seizures'
  | 'swaps'
  | 'swept'
  | 'trades'
  | 'unasked'
  | 'victims'
  | 'winners'
/** Shares from 0 to 1, and differences of block numbers. */
type Measure = 'confidence' | 'flowShare' | 'medianBlocks' | 'ratio' | 'reserveShare' | 'share' | 'direct'
/** Unix seconds. */
type Moment = 'created_at' | 'emptiedAt' | 'gasAt' | 'since' | 'time'

/** Compile error for a number, bigint or text that should be an `Amount`. */
type NotAnAmount<Name> = { 'an amount in evidence is an Amount of amountOf()': Name }

/** `Value` with every member that evidence may not hold replaced by `NotAnAmount`. */
export type Stated<Value, Name = ''> = unknown extends Value
  ? NotAnAmount<Name>
  : Value extends Amount
    ? Value
    : Value extends bigint
      ? NotAnAmount<Name>
      : Value extends number
        ? Name extends Count | Measure | Moment
          ? Value
          : NotAnAmount<Name>
        : Value extends string
          ? Name extends 'amount'
            ? NotAnAmount<Name>
            : Value
          : Value extends readonly (infer Item)[]
            ? readonly Stated<Item, Name>[]
            : Value extends object
              ? { readonly [Key in keyof Value]: Stated<Value[Key], Key> }
              : Value
