/** Messages of topic `status`: the state of a role's networks, which `/status` shows. */
import { z } from 'zod'
import { NETWORK_CODES } from '../../networks.ts'

/** - `starting`: nothing is known yet. `running`: at work. `waiting`: waits after a failure and continues by itself.
 *  - `stopped`: needs an operator. */
export const PART_STATES = ['starting', 'running', 'waiting', 'stopped'] as const
/** Whether work on a network continues, waits, or needs an operator. */
export type PartState = (typeof PART_STATES)[number]

/** Independent parts of the work on a network: chain to bus, bus to tables, tables to wallet and to contract records. */
export const PARTS = ['indexing', 'ingest', 'scoring', 'contracts'] as const
/** A part of the work on a network, reported separately. */
export type Part = (typeof PARTS)[number]

const trouble = z.object({
  /** A code of `docs/use/errors.md`, or `unexpected` for an error without one. */
  code: z.string(),
  message: z.string(),
  /** Start time, ms since the epoch. */
  since: z.number(),
})
/** Why a part waits or is stopped. */
export type Trouble = z.output<typeof trouble>

const progress = z.object({
  /** Phase of the indexer. */
  phase: z.string().optional(),
  /** Newest block seen on a node. */
  head: z.number().optional(),
  /** Highest published block, and highest published as final. */
  published: z.number().optional(),
  finalized: z.number().optional(),
  /** Newest readable block, and the watermark. */
  stored: z.number().optional(),
  settled: z.number().optional(),
  /** What has to come before newer blocks can be stored, as text. */
  waitsFor: z.string().optional(),
  /** What the endpoints cannot prove of their answers, as texts. */
  unproved: z.array(z.string()).optional(),
})
/** Progress of a part. Blocks are absent until known. */
export type PartProgress = z.output<typeof progress>

const partReport = z.object({
  network: z.enum(NETWORK_CODES),
  part: z.enum(PARTS),
  state: z.enum(PART_STATES),
  /** Start time of the state, ms since the epoch. */
  since: z.number(),
  trouble: trouble.optional(),
  /** Time of the next attempt of a part that does not run, ms since the epoch. */
  retryAt: z.number().optional(),
  progress,
})
/** State of one part of one network. Times are ms since the epoch. */
export type PartReport = z.output<typeof partReport>

/** One process or thread of a role, with all its parts. Each message replaces the previous one of the instance. */
export const roleReport = z.object({
  role: z.string(),
  /** Host, and an id that is new for each start. */
  instance: z.string(),
  /** Time of the report, ms since the epoch. */
  at: z.number(),
  parts: z.array(partReport),
})
/** State of one process or thread: message of topic `status`. */
export type RoleReport = z.output<typeof roleReport>
