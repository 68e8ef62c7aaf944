import { App } from 'antd'
import { request } from '../endpoint/call.tsx'
import type { Removal } from '../resource/endpoints.ts'

/** A record that somebody wants to remove. */
interface Doomed {
  /** Path of the record's calls. */
  path: string
  /** By which people know it. */
  name: string
  /** Removes it, once that was confirmed. */
  run: () => Promise<void>
  /** What else can be done with what cannot be removed. */
  instead?: string
}

/**
 * Asks before a record is removed. What is in the way is told beforehand, with counts, and so is what goes with it: nobody is
 * asked to confirm what will be refused.
 */
export function useRemoval(): (doomed: Doomed) => Promise<void> {
  const { modal } = App.useApp()
  return async ({ path, name, run, instead }) => {
    const { refusal, uses, along } = await request<Removal>('GET', `${path}/removal`)
    if (refusal !== null) {
      modal.warning({
        title: `不能删除「${name}」`, okText: '知道了',
        content: uses.length > 0
          ? <><p>还有以下内容在使用它，请先处理：</p><ul className="reasons">{uses.map((words) => <li key={words}>{words}</li>)}</ul>{instead && <p>{instead}</p>}</>
          : refusal,
      })
      return
    }
    modal.confirm({
      title: `删除「${name}」`, okText: '删除', okButtonProps: { danger: true },
      content: <>{along.length > 0 && <p>将一并删除：{along.join('、')}。</p>}<p>删除后可以在回收站恢复。</p></>,
      onOk: run,
    })
  }
}
