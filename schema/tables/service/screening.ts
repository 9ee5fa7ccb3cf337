/** Screening jobs: the uploaded rows and their results. A job is deleted a week after its creation. */
import { column, instant, oneOf, text, uint16, uint32, uint64, word } from '../column.ts'
import type { SchemaObject } from '../ddl.ts'

/** Stored states of a job. */
export const JOB_STATES = ['waiting', 'running', 'finished', 'stopped', 'deleted'] as const
/** Stored state of a screening job. */
export type JobState = (typeof JOB_STATES)[number]

const upload = text('The upload that brought the rows. An upload that broke off belongs to no job')
const row = uint32('Number of the row in the upload, from 1')
const expires = column<number>("DateTime('UTC')", 'When the row is removed')
const ZSTD3 = { codec: 'ZSTD(3)' }
const TTL = 'expires'

/** Tables of screening jobs, their rows and results. */
export const screeningObjects: SchemaObject[] = [
  {
    kind: 'table',
    name: 'screen_jobs',
    comment: 'Screening jobs and how far they are. How many rows are done is the number of rows in screen_results',
    columns: {
      id: text('Id of the job; follows from account and idempotency key where the caller sent one'),
      version: uint64('Rank of the state above microseconds since the epoch; the highest is in force'),
      account: text('Id of the key that began the line of rotated keys the job belongs to'),
      operation: word('Operation that is run for each row'),
      state: oneOf(JOB_STATES, 'waiting, running, finished, stopped or deleted'),
      upload,
      rows: uint32('Rows of the upload, malformed ones included'),
      malformed: uint32('Rows that could not be read'),
      distinct: uint32('Different addresses among the rows'),
      look_alikes: text('JSON: groups of different addresses that begin and end alike, twenty at most'),
      fingerprint: text('SHA-256 of the uploaded bytes and of what was asked: a retried upload has the same one'),
      holder: text('Replica that works on it, empty while none does'),
      held_until: instant('Until when its replica is believed to live'),
      moved: instant('When a replica last took it up or left it'),
      created: instant('When the upload was complete'),
      started: instant('When the first row was worked on; the epoch before'),
      finished: instant('When the last row was done; the epoch before'),
      reason: text('Why it was stopped, else empty'),
      expires,
    },
    engine: 'ReplacingMergeTree(version)',
    orderBy: ['id'],
    ttl: TTL,
    window: 1_000,
  },
  {
    kind: 'table',
    name: 'screen_rows',
    comment: 'Rows of screening jobs as they were uploaded',
    columns: {
      upload,
      row,
      network: word('Network code where it is known, else as it was sent'),
      address: text('Address as it was sent'),
      reference: text('What the caller calls the row; empty when not given', ZSTD3),
      problem: text('Why the row cannot be read; empty when it can'),
      expires,
    },
    engine: 'MergeTree',
    orderBy: ['upload', 'row'],
    ttl: TTL,
    window: 10_000,
  },
  {
    kind: 'table',
    name: 'screen_results',
    comment: 'What rows of screening jobs were answered. Read with FINAL: two replicas may have answered the same rows',
    columns: {
      upload,
      row,
      status: uint16('Status that the single call would have had'),
      body: text('Body that the single call would have had', ZSTD3),
      expires,
    },
    engine: 'ReplacingMergeTree',
    orderBy: ['upload', 'row'],
    ttl: TTL,
    window: 10_000,
  },
]
