import { ACTION_NAMES } from './action-names.ts'
import type { Resource } from './define.ts'

/** What the calls of a tree do to its nodes. */
const TREE_ACTIONS = [{ name: 'move', label: '移动' }, { name: 'merge', label: '合并' }] as const

/** Words for the actions of the log. */
export interface ActionWords {
  /** What an action on a record of a table is called; undefined where nobody has given it a word. */
  find(table: string, action: string): string | undefined
  /** The same for people: an action without a word is shown as it is. */
  say(table: string, action: string): string
}

/**
 * Words of all actions that the product logs. One transaction changes records of several kinds, and the log calls each change
 * by the action that began it: what the record's own kind calls it comes first, then what everybody calls it, then the kind
 * that does it (审核通过 of an order also in the log of the partner whose quota it raised).
 */
export function actionWords(resources: readonly Pick<Resource, 'table' | 'transitions' | 'logged' | 'tree'>[]): ActionWords {
  const own = new Map<string, string>()
  const anybody = new Map<string, string>()
  for (const { table, transitions, logged, tree } of resources) {
    for (const { name, label } of [...transitions, ...logged, ...(tree ? TREE_ACTIONS : [])]) {
      if (!own.has(`${table} ${name}`)) own.set(`${table} ${name}`, label)
      if (!anybody.has(name)) anybody.set(name, label)
    }
  }
  const find = (table: string, action: string) => own.get(`${table} ${action}`) ?? ACTION_NAMES[action] ?? anybody.get(action)
  return { find, say: (table, action) => find(table, action) ?? action }
}
