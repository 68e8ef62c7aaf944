/** What a key combination does. */
export type ShortcutName = 'previous' | 'next' | 'close' | 'refresh' | 'reopen' | 'sidebar' | 'filter' | 'help'

interface Pressed {
  readonly code: string
  readonly key: string
  readonly altKey: boolean
  readonly shiftKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
}

interface Shortcut {
  readonly name: ShortcutName
  /** As it stands on the keys. */
  readonly keys: readonly string[]
  readonly label: string
  readonly pressed: (event: Pressed) => boolean
}

/** Alt with a key, told by its place: on many keyboards Alt changes the letter. Browsers leave these free. */
const alt = (code: string, shift = false) => ({ code: pressed, altKey, shiftKey, ctrlKey, metaKey }: Pressed) => altKey && pressed === code && shiftKey === shift && !ctrlKey && !metaKey

/** The keys of the console, in the order of the help sheet. */
export const shortcuts: readonly Shortcut[] = [
  { name: 'previous', keys: ['Alt', '['], label: '上一个标签页', pressed: alt('BracketLeft') },
  { name: 'next', keys: ['Alt', ']'], label: '下一个标签页', pressed: alt('BracketRight') },
  { name: 'close', keys: ['Alt', 'W'], label: '关闭当前标签页', pressed: alt('KeyW') },
  { name: 'refresh', keys: ['Alt', 'R'], label: '刷新当前页面', pressed: alt('KeyR') },
  { name: 'reopen', keys: ['Alt', 'Shift', 'T'], label: '重新打开关闭的页面', pressed: alt('KeyT', true) },
  { name: 'sidebar', keys: ['Alt', 'B'], label: '收起或展开菜单', pressed: alt('KeyB') },
  { name: 'filter', keys: ['Alt', 'M'], label: '筛选菜单', pressed: alt('KeyM') },
  { name: 'help', keys: ['?'], label: '快捷键说明', pressed: ({ key, altKey, ctrlKey, metaKey }) => (key === '?' || key === '？') && !altKey && !ctrlKey && !metaKey },
]

/** Keys that belong to parts of the console, for the help sheet. */
export const localKeys: readonly { readonly keys: readonly string[]; readonly label: string }[] = [
  { keys: ['/'], label: '在列表中搜索' },
  { keys: ['J', 'K'], label: '列表的下一行、上一行' },
  { keys: ['X'], label: '选中列表的当前行' },
  { keys: ['Enter'], label: '打开列表的当前行，E 编辑' },
  { keys: ['F2'], label: '就地修改当前行（或双击单元格），Tab 下一格，Esc 放弃' },
  { keys: ['Ctrl', 'K'], label: '搜索页面与记录（Mac 为 ⌘ K）' },
  { keys: ['←', '→'], label: '在标签栏或菜单中移动，Delete 关闭标签页' },
  { keys: ['Ctrl', 'Shift', '←'], label: '移动标签页的位置' },
  { keys: ['Esc'], label: '关闭弹出的菜单、抽屉或对话框' },
]

/**
 * The shortcut that was pressed.
 * @param typing whether the person is writing: then keys without Alt are letters
 */
export function shortcutOf(event: Pressed, typing: boolean): ShortcutName | undefined {
  const found = shortcuts.find((shortcut) => shortcut.pressed(event))
  return found && typing && !event.altKey ? undefined : found?.name
}
