import { expect, test } from 'vitest'
import { routesOf } from '../core/shell/gate-routes.ts'
import { fullTitle, leafRoutes } from '../core/shell/routes.ts'
import { screenGroups } from './screens.ts'

test('no two screens are called the same where their groups do not stand beside them', () => {
  const names = leafRoutes(routesOf(screenGroups, new Set(screenGroups.flatMap(({ screens }) => screens.map(({ path }) => path))))).map(fullTitle)
  expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([])
  expect(names).toEqual(expect.arrayContaining(['自营·会员卡', '合伙·会员卡', '合伙·自习室列表', '自营·用户订单', '合伙人']))
})
