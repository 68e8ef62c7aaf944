import { expect, test } from 'vitest'
import { canonicalPath, redirectTarget, outsideError, routeFinder } from './place.ts'

const at = (pathname: string, search = '', hash = '') => ({ pathname, search, hash })

test('29, 31: an internal refresh leads to the same address, with query, hash and whatever is encoded', () => {
  expect(redirectTarget(at('/redirect/a/b', '?x=1&y=2', '#h'))).toEqual(at('/a/b', '?x=1&y=2', '#h'))
  expect(redirectTarget(at('/redirect/a%2Fb/%E8%AF%BE%E7%A8%8B'))).toEqual(at('/a%2Fb/%E8%AF%BE%E7%A8%8B'))
  expect(redirectTarget(at('/redirect'))).toEqual(at('/'))
  expect(redirectTarget(at('/redirect/'))).toEqual(at('/'))
  expect(redirectTarget(at('/redirected/a'))).toBeUndefined()
})

test('131: the error pages beside the shell', () => {
  expect(['/404', '/404/', '/401', '/error/404', '/4040'].map(outsideError)).toEqual([404, 404, 401, undefined, undefined])
})

const find = routeFinder(['/', '/p/:type/:id', '/p/labels/all', '/p/labels', '/x.y'].map((path) => ({ path })))

test('39: a path is found whole, what is written out before what has parameters, everything else is unknown', () => {
  expect(['/', '/p/labels', '/p/labels/all', '/p/a/1', '/p/a/%2F', '/P/Labels/'].map((path) => find(path)?.path)).toEqual(['/', '/p/labels', '/p/labels/all', '/p/:type/:id', '/p/:type/:id', '/p/labels'])
  for (const unknown of ['/p', '/p/a/1/2', '/xzy', '/q']) expect(find(unknown)).toBeUndefined()
})

test('3, 98: every spelling of a path is one page', () => {
  expect(canonicalPath('/P/Labels/', { path: '/p/labels' })).toBe('/p/labels')
  expect(canonicalPath('/p/a/1/', { path: '/p/:type/:id' })).toBe('/p/a/1')
  expect(canonicalPath('/', { path: '/' })).toBe('/')
})
