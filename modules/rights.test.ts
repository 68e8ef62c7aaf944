import { expect, test } from 'vitest'
import { actionId } from '../core/grant/grant.ts'
import { findModules, registryOf } from '../core/module/assemble.server.ts'
import { screens } from './screens.ts'

/** What every stored grant of an action means, screen by screen. Rows and rights are added here, never changed: a number that came to mean another right would give it to a person who held the old one. */
const PINNED: readonly (readonly [screen: number, rights: string])[] = [
  [101, '11 freeze, 12 applyClose, 13 close, 14 merge, 15 rebindMobile, 16 password'],
  [102, '11 grant, 12 stop, 13 leave, 14 resetPassword, 15 handOver, 16 resetFactors, 17 factorRule'],
  [301, '11 run, 12 roll, 13 change'],
  [302, '11 pay, 12 reprice, 15 refund, 16 decide, 17 cancel, 18 finish, 19 setting, 20 virtual, 22 otherWay'],
  [303, '14 open, 15 takeBack'],
  [304, '11 shelve'],
  [603, '11 shelve'],
  [604, '1 edit, 12 publish'],
  [605, '14 open, 15 takeBack'],
  [606, '11 pay, 12 reprice, 15 refund, 16 decide, 17 cancel, 18 finish, 19 setting, 20 virtual, 22 otherWay'],
  [703, '11 shelve'],
  [704, '1 edit, 12 publish'],
  [705, '14 open, 15 takeBack'],
  [706, '11 pay, 12 reprice, 15 refund, 16 decide, 17 cancel, 18 finish, 19 setting, 20 virtual, 22 otherWay'],
  [802, '11 shelve'],
  [803, '14 open, 15 takeBack'],
  [804, '11 pay, 12 reprice, 15 refund, 16 decide, 17 cancel, 18 finish, 19 setting, 20 virtual, 22 otherWay'],
  [902, '11 shelve'],
  [903, '1 edit, 12 publish'],
  [904, '14 open, 15 takeBack'],
  [905, '11 pay, 12 reprice, 15 refund, 16 decide, 17 cancel, 18 finish, 19 setting, 20 virtual, 22 otherWay'],
  [1001, '11 shelve'],
  [1002, '1 edit, 12 publish'],
  [1003, '14 open, 15 takeBack'],
  [1004, '11 pay, 12 reprice, 15 refund, 16 decide, 17 cancel, 18 finish, 19 setting, 20 virtual, 22 otherWay'],
  [1101, '11 shelve'],
  [1102, '1 edit, 12 publish'],
  [1103, '14 open, 15 takeBack'],
  [1104, '11 pay, 12 reprice, 15 refund, 16 decide, 17 cancel, 18 finish, 19 setting, 20 virtual, 22 otherWay'],
  [1201, '14 open, 15 takeBack'],
  [1202, '11 pay, 12 reprice, 15 refund, 16 decide, 17 cancel, 18 finish, 19 setting, 20 virtual, 22 otherWay'],
  [1203, '11 approve, 12 archive'],
  [1205, '11 shelve'],
  [1301, '11 sign, 12 freeze, 13 end, 21 topUp'],
  [1302, '11 pay, 12 reprice, 13 audit, 14 ship, 15 refund, 16 decide, 17 cancel, 19 setting, 20 virtual, 22 otherWay'],
  [1303, '11 stop, 12 append, 13 take, 14 exchange'],
  [1304, '11 cancel, 12 unbind, 13 freeze, 14 extend, 15 transfer'],
  [1305, '11 close'],
  [1307, '21 activate, 22 changeSchool, 23 renew'],
  [1308, '11 pay, 12 reprice, 15 refund, 16 decide, 17 cancel, 18 finish, 19 setting, 22 otherWay'],
  [1310, '11 pay, 12 reprice, 14 ship, 15 refund, 16 decide, 17 cancel, 18 finish, 19 setting, 20 virtual, 22 otherWay'],
  [1312, '11 visit, 12 sell, 13 freeze, 14 transfer, 15 adjust, 16 refund'],
  [1313, '11 pay, 12 reprice, 15 refund, 16 decide, 17 cancel, 18 finish, 19 setting, 20 virtual, 22 otherWay'],
  [1401, '11 bind, 12 repair, 13 lose, 14 retire, 15 move, 16 lock, 17 command, 18 connect'],
  [1402, '11 close'],
  [1403, '11 pay, 12 reprice, 15 refund, 16 decide, 17 cancel, 18 finish, 19 setting, 22 otherWay'],
  [1405, '11 pay, 12 reprice, 14 ship, 15 refund, 16 decide, 17 cancel, 18 finish, 19 setting, 20 virtual, 21 closeDay, 22 otherWay'],
  [1407, '11 visit, 12 sell, 13 freeze, 14 transfer, 15 adjust, 16 refund'],
  [1408, '11 pay, 12 reprice, 15 refund, 16 decide, 17 cancel, 18 finish, 19 setting, 20 virtual, 22 otherWay'],
  [1601, '1 edit, 2 remove, 3 import, 4 export, 11 submit, 12 assign, 15 similar'],
  [1602, '1 edit, 4 export, 13 shelf, 14 revise, 15 similar, 16 answers'],
  [1603, '1 edit, 2 remove, 3 import, 4 export, 11 submit, 12 assign, 15 similar'],
  [1604, '1 edit, 4 export, 13 shelf, 14 revise, 15 similar, 16 answers'],
  [1605, '1 edit, 2 remove, 3 import, 4 export, 11 submit, 12 assign, 15 similar'],
  [1606, '1 edit, 4 export, 13 shelf, 14 revise, 15 similar, 16 answers'],
  [1607, '11 first, 12 second, 13 final, 14 settings, 15 report'],
  [1608, '11 merge'],
  [1609, '1 edit'],
  [2201, '11 approve, 12 archive'],
  [2202, '11 approve'],
  [2203, '11 approve, 12 archive'],
  [2204, '11 approve, 12 archive'],
  [2205, '11 approve'],
  [2206, '11 approve, 12 archive'],
  [2207, '11 approve, 12 archive'],
  [2208, '11 approve'],
  [2209, '11 approve, 12 archive'],
  [2302, '13 replace'],
  [2303, '13 replace'],
  [2402, '11 approve, 12 freeze, 13 end'],
  [2501, '11 approve, 12 archive, 13 shelve'],
  [2502, '14 open, 15 takeBack'],
  [2503, '11 pay, 12 reprice, 15 refund, 16 decide, 17 cancel, 18 finish, 19 setting, 20 virtual, 22 otherWay'],
  [2704, '11 clear'],
  [2705, '11 checkAudit'],
  [2708, '11 privacy'],
  [2709, '11 keys'],
]

/** Ids of rights that are no more. Somebody may hold them still, so that nothing else is ever called by them. */
const GONE: readonly number[] = [10_117]

test('the number of every right is what it was', async () => {
  const modules = await findModules()
  const all = [...[...registryOf(modules).values()].map(({ resource }) => resource.rights), ...modules.flatMap((module) => module.rights ?? [])]
  const known = Map.groupBy(all.flatMap(({ screen, table }) => Object.entries(table).map(([name, [n]]) => ({ screen, n, name }))), ({ screen }) => screen)
  const said = [...known].map(([screen, rights]) => [screen, [...new Map(rights.toSorted((a, b) => a.n - b.n).map(({ n, name }) => [n, `${n} ${name}`])).values()].join(', ')])
  expect(said.toSorted(([a], [b]) => Number(a) - Number(b))).toEqual(PINNED)
  expect(all.flatMap(({ screen, table }) => Object.values(table).map(([n]) => actionId(screen, n))).filter((id) => GONE.includes(id))).toEqual([])
  const shown = new Set(screens.map(({ id }) => id))
  expect(PINNED.filter(([screen]) => !shown.has(screen))).toEqual([])
})
