import { expect, test } from 'vitest'
import { landing, safeRedirect } from './landing.ts'

const from = (address: string) => {
  const url = new URL(address, 'http://console')
  return landing(url.searchParams, url.hash)
}

test('a login leads back to where it interrupted, with query and hash', () => {
  expect(from('/login')).toBe('/')
  expect(from('/login?redirect=/a')).toBe('/a')
  expect(from('/login?redirect=%2Fa%3Fx%3D1%26y%3D2%23top')).toBe('/a?x=1&y=2#top')
})

test('what a careless link left outside of redirect is carried on', () => {
  expect(from('/login?redirect=/a?x=1&y=2')).toBe('/a?x=1&y=2')
  expect(from('/login?y=2&redirect=/a#top')).toBe('/a?y=2#top')
  expect(from('/login?redirect=/a%23own&y=2#other')).toBe('/a?y=2#own')
})

test('addresses outside of the console lead home', () => {
  for (const bad of ['https://evil.example', '//evil.example', 'javascript:alert(1)', '/login?redirect=/login']) expect(from(`/login?redirect=${encodeURIComponent(bad)}`)).toBe('/')
})

test('24: only addresses inside the console are followed after login', () => {
  expect(safeRedirect('/course/list?x=1#top')).toBe('/course/list?x=1#top')
  for (const bad of [null, '', 'https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)', '/login', '/login?redirect=/login', '/login/']) {
    expect(safeRedirect(bad)).toBe('/')
  }
  expect(safeRedirect('/loginLog')).toBe('/loginLog')
})
