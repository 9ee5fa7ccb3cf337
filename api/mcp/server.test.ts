import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import { describedOnce } from './server.ts'

test('converts a schema once per dialect and direction', () => {
  const asked: string[] = []
  const convert = (direction: string) => (options: { target: string }) => {
    asked.push(`${direction} ${options.target}`)
    return { direction, target: options.target }
  }
  const schema: StandardSchemaWithJSON = {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value) => ({ value }),
      jsonSchema: { input: convert('input'), output: convert('output') },
    },
  }
  const { jsonSchema, validate } = describedOnce(schema)['~standard']
  for (let server = 0; server < 3; server++) {
    expect(jsonSchema.output({ target: 'draft-07' })).toEqual({ direction: 'output', target: 'draft-07' })
    expect(jsonSchema.input({ target: 'draft-07' })).toEqual({ direction: 'input', target: 'draft-07' })
  }
  expect(jsonSchema.output({ target: 'draft-2020-12' })).toMatchObject({ target: 'draft-2020-12' })
  expect(asked).toEqual(['output draft-07', 'input draft-07', 'output draft-2020-12'])
  expect(validate(1)).toEqual({ value: 1 })
})
