import { expect, test } from 'vitest'
import { placeName } from './place.ts'

test('addresses that are not of the internet say so', () => {
  expect([null, '127.0.0.1', '::1', '::ffff:10.1.2.3', '172.20.0.4', '192.168.3.1', 'fd00::7'].map(placeName))
    .toEqual(['—', '127.0.0.1（本机）', '::1（本机）', '10.1.2.3（内网）', '172.20.0.4（内网）', '192.168.3.1（内网）', 'fd00::7（内网）'])
  expect(['172.32.0.1', '110.1.1.1', '2408:8000::1'].map(placeName)).toEqual(['172.32.0.1', '110.1.1.1', '2408:8000::1'])
})
