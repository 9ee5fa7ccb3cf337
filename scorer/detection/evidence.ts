/**
 * What evidence may hold. An amount is an `Amount`: exact decimal text with its unit. So a number has to be one that is no amount,
 * under a name of the list below, and nothing else compiles.
 */
import type { Amount } from '../../schema/records/explained/explanations.ts'

/** Names of numbers that are no amounts. A new one is added here on purpose. */
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
/** Parts of a whole, 0 to 1, and differences of block numbers. */
type Measure = 'confidence' | 'flowShare' | 'medianBlocks' | 'ratio' | 'reserveShare' | 'share' | 'direct'
/** Unix seconds. */
type Moment = 'created_at' | 'emptiedAt' | 'gasAt' | 'since' | 'time'

/** What stands where a number or a text should be an `Amount`. */
type NotAnAmount<Name> = { 'an amount in evidence is an Amount of amountOf()': Name }

/** `Value` where all of it may be stated; what may not is replaced by a type that nothing has. */
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
