import { Button, Space } from 'antd'
import { useState } from 'react'
import { COUNT_CAP } from '../../core/list/use-list.tsx'

export interface Cursor {
  /** Place after which the page begins; undefined on the first. */
  at: string | undefined
  page: number
  back: () => void
  go: (next: string) => void
}

/**
 * Place in a list that is paged by cursors. Ways back are remembered, because a cursor only leads on.
 * @param key what narrows the list; another key begins at the first page
 */
export function useCursor(key: string): Cursor {
  const [state, setState] = useState<{ key: string; past: string[] }>({ key, past: [] })
  const past = state.key === key ? state.past : []
  return {
    at: past.at(-1),
    page: past.length + 1,
    back: () => setState({ key, past: past.slice(0, -1) }),
    go: (next) => setState({ key, past: [...past, next] }),
  }
}

/** Words and buttons below a list that is paged by cursors. */
export function CursorPager({ cursor, total, next }: { cursor: Cursor; total: number | undefined; next: string | undefined }) {
  return (
    <div className="pager">
      <span aria-live="polite">{total === undefined ? '' : total >= COUNT_CAP ? '共 10,000+ 条' : `共 ${total.toLocaleString('zh-CN')} 条`}</span>
      {(cursor.page > 1 || next) && (
        <Space>
          <Button disabled={cursor.page === 1} onClick={cursor.back}>上一页</Button>
          <span>第 {cursor.page} 页</span>
          <Button disabled={!next} onClick={() => { if (next) cursor.go(next) }}>下一页</Button>
        </Space>
      )}
    </div>
  )
}
