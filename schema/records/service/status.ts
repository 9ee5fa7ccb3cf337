/** Messages of topic `status`: how the networks of a role are doing, and what `/status` makes of them. */
import { z } from 'zod'
import { NETWORK_CODES } from '../../networks.ts'

/** - `starting`: nothing is known yet. `running`: at work. `waiting`: a failure is being waited out, work goes on by itself.
 *  - `stopped`: it needs an operator. */
export const PART_STATES = ['starting', 'running', 'waiting', 'stopped'] as const
/** Whether work on a network goes on, waits for itself, or needs an operator. */
export type PartState = (typeof PART_STATES)[number]

/** Work on a network that starts and stops on its own: chain to bus, bus to tables, tables to wallet and contract records. */
export const PARTS = ['indexing', 'ingest', 'scoring', 'contracts'] as const
/** Kind of work that is reported by itself for each network. */
export type Part = (typeof PARTS)[number]

const trouble = z.object({
  /** A code of `docs/use/errors.md`, or `unexpected` for an error nobody foresaw. */
  code: z.string(),
  message: z.string(),
  /** When it began, ms since the epoch. */
  since: z.number(),
})
/** Why a part waits or is stopped. */
export type Trouble = z.output<typeof trouble>

const progress = z.object({
  /** What the indexer is at. */
  phase: z.string().optional(),
  /** Newest block the nodes have shown. */
  head: z.number().optional(),
  /** Highest block published, and highest published as final. */
  published: z.number().optional(),
  finalized: z.number().optional(),
  /** Newest block whose rows are readable, and the watermark. */
  stored: z.number().optional(),
  settled: z.number().optional(),
  /** What has to come before newer blocks may be stored, in words. */
  waitsFor: z.string().optional(),
  /** What its endpoints cannot prove of what they answer, in words. */
  unproved: z.array(z.string()).optional(),
})
/** How far a part has come. Blocks are missing until known. */
export type PartProgress = z.output<typeof progress>

const partReport = z.object({
  network: z.enum(NETWORK_CODES),
  part: z.enum(PARTS),
  state: z.enum(PART_STATES),
  /** When the state was entered, ms since the epoch. */
  since: z.number(),
  trouble: trouble.optional(),
  /** When a part that does not run is tried again, ms since the epoch. */
  retryAt: z.number().optional(),
  progress,
})
/** How one part of one network is doing. Times are ms since the epoch. */
export type PartReport = z.output<typeof partReport>

/** One process or thread of a role, and all its parts. Each message replaces the one before it of the same instance. */
export const roleReport = z.object({
  role: z.string(),
  /** Host, and an id of its own for each start. */
  instance: z.string(),
  /** Milliseconds since the epoch, of the reporting process. */
  at: z.number(),
  parts: z.array(partReport),
})
/** How one process or thread is doing: message of topic `status`. */
export type RoleReport = z.output<typeof roleReport>
