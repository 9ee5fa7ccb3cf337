import { createTronSourceWorld } from '../../../kit/source-worlds/tron.ts'
import { describeSource } from '../source.suite.ts'

describeSource('TRON', createTronSourceWorld)
