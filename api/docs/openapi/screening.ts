/** Screening jobs in the OpenAPI document. */
import type { z } from 'zod'
import { OPERATION_LIST } from '../../../schema/records/operations.ts'
import { exampleAddress } from '../../../schema/records/request.ts'
import { screenJob, screenOverview, screenQuote } from '../../../schema/records/service/screening.ts'
import { RESULT_FORMATS } from '../../screen/results.ts'
import { MAX_ROWS } from '../../screen/upload.ts'
import { exampleBodyOf } from '../errors.ts'
import { JOB_ID } from './components.ts'

type Json = { [key: string]: unknown }

const ref = (status: number) => ({ $ref: `#/components/responses/E${status}` })
const idParameter = {
  name: 'id',
  in: 'path',
  required: true,
  schema: { type: 'string', examples: [JOB_ID] },
  description: 'Id of the job',
}
const queryParameter = (name: string, description: string, schema: Json) => ({ name, in: 'query', description, schema })

/** How the rows of a list are read. */
const OF_ROWS = [
  queryParameter('operation', 'Operation that is run for each row', {
    type: 'string',
    enum: OPERATION_LIST.map(({ id }) => id),
    default: 'fraud_check',
  }),
  queryParameter('network', 'Network of rows without one', { type: 'string', examples: ['ETH'] }),
]

const REFUSALS = { 400: ref(400), 401: ref(401), 403: ref(403), 429: ref(429), 500: ref(500), 503: ref(503) }

const EXAMPLE = 'network,walletAddress,reference\nETH,0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045,customer 7\n'

const NOT_FOUND = exampleBodyOf('NOT_FOUND')
const RESULT_LINE = `${JSON.stringify({
  row: 1,
  network: 'ETH',
  walletAddress: exampleAddress('ETH'),
  reference: 'customer 7',
  status: 404,
  result: NOT_FOUND,
})}\n`
const RESULT_CSV = `row,network,walletAddress,reference,httpStatus,error,errorMessage,chain,status,probabilityFraud\r\n1,ETH,${exampleAddress('ETH')},customer 7,404,NOT_FOUND,${NOT_FOUND.message},,,\r\n`
const LINE_EXAMPLE = '{"network":"ETH","walletAddress":"0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"}\n'

/** Paths of screening jobs. `add` registers a schema and returns its reference; `headers` are those of every response; `notFound` is the 404. */
export const screeningPaths = (
  add: (schema: z.ZodType, io: 'input' | 'output') => Json,
  headers: Json,
  notFound: Json,
): Json => {
  const job = { 'application/json': { schema: add(screenJob, 'output') } }
  const common = { tags: ['screening'], security: [{ apiKey: [] }] }
  const located = { ...headers, Location: { $ref: '#/components/headers/Location' } }
  const jobAnswer = { description: 'The job', headers: located, content: job }
  const ofJob = { ...common, parameters: [idParameter] }
  return {
    '/screen': {
      post: {
        ...common,
        operationId: 'screen_upload',
        summary: 'Screen a list of addresses',
        description: `Takes up to ${MAX_ROWS.toLocaleString('en')} rows and creates a job. A row that cannot be read gets a result with status 400. Every row counts towards your limit of rows per 24 hours.`,
        parameters: [
          ...OF_ROWS,
          {
            name: 'Idempotency-Key',
            in: 'header',
            description: 'Your key for the upload: the same upload with the same key returns the same job',
            schema: { type: 'string', maxLength: 255, examples: ['customers-2026-11'] },
          },
          {
            name: 'X-Assay-Rows',
            in: 'header',
            description:
              'Number of rows, if you know it: an upload that exceeds your limit is then refused before it is read',
            schema: { type: 'integer', examples: [1_000] },
          },
        ],
        requestBody: {
          required: true,
          content: {
            'text/csv': { schema: { type: 'string' }, example: EXAMPLE },
            'application/x-ndjson': {
              schema: { type: 'string' },
              example: LINE_EXAMPLE,
            },
          },
        },
        responses: {
          200: {
            ...jobAnswer,
            headers: { ...located, 'Idempotent-Replayed': { $ref: '#/components/headers/Idempotent-Replayed' } },
            description: 'The job that an earlier upload with the same key created',
          },
          202: { ...jobAnswer, description: 'A new job' },
          408: ref(408),
          409: ref(409),
          ...REFUSALS,
        },
      },
      get: {
        ...common,
        operationId: 'screen_list',
        summary: 'Your jobs and remaining rows',
        description: 'The 100 newest jobs, newest first.',
        responses: {
          200: {
            description: 'Jobs and limits',
            headers,
            content: { 'application/json': { schema: add(screenOverview, 'output') } },
          },
          ...REFUSALS,
        },
      },
    },
    '/screen/quote': {
      post: {
        ...common,
        operationId: 'screen_quote',
        summary: 'Check a list before you upload it',
        description:
          'Reads a list, or its first megabyte, as POST /screen would. Returns how many rows of your limit it uses and how many remain. Nothing is stored.',
        parameters: [
          ...OF_ROWS,
          queryParameter('lines', 'Number of non-empty lines of the whole list, if the body holds only its beginning', {
            type: 'integer',
            examples: [1_000],
          }),
        ],
        requestBody: {
          required: true,
          content: {
            'text/csv': { schema: { type: 'string' }, example: EXAMPLE },
            'application/x-ndjson': { schema: { type: 'string' }, example: LINE_EXAMPLE },
          },
        },
        responses: {
          200: {
            description: 'Rows of the list, and how they are read',
            headers,
            content: { 'application/json': { schema: add(screenQuote, 'output') } },
          },
          408: ref(408),
          ...REFUSALS,
        },
      },
    },
    '/screen/{id}': {
      get: {
        ...ofJob,
        operationId: 'screen_job',
        summary: 'The state of a job',
        description: 'Finished rows by status, with rate and time left.',
        responses: { 200: jobAnswer, 404: notFound, ...REFUSALS },
      },
      delete: {
        ...ofJob,
        operationId: 'screen_delete',
        summary: 'Remove a job',
        description:
          'Ends the job if it runs, and removes its rows and results. Its rows still count towards your limit.',
        responses: { 200: jobAnswer, 404: notFound, ...REFUSALS },
      },
    },
    '/screen/{id}/result': {
      get: {
        ...common,
        operationId: 'screen_result',
        summary: 'Results of a finished job',
        description: 'One line per row, in the order of the upload. CSV and Parquet have one column per field.',
        parameters: [
          idParameter,
          queryParameter('format', 'Result format; overrides the header accept', {
            type: 'string',
            enum: [...RESULT_FORMATS],
          }),
          queryParameter(
            'from',
            'First row to return, to continue an interrupted download. Parquet always starts at row 1',
            {
              type: 'integer',
              minimum: 1,
              default: 1,
            },
          ),
        ],
        responses: {
          200: {
            description: 'The results',
            headers: { ...headers, 'Content-Disposition': { $ref: '#/components/headers/Content-Disposition' } },
            content: {
              'application/x-ndjson': { schema: { type: 'string' }, example: RESULT_LINE },
              'text/csv': { schema: { type: 'string' }, example: RESULT_CSV },
              'application/vnd.apache.parquet': { schema: { type: 'string', format: 'binary' } },
            },
          },
          404: notFound,
          409: ref(409),
          ...REFUSALS,
        },
      },
    },
  }
}
