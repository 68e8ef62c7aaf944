import { App } from 'antd'
import { unsavedWork } from '../form/unsaved.tsx'

/** The one question that names what is not saved yet. */
export function useUnsavedQuestion(): (concerned: (tab: string) => boolean, go: () => void) => void {
  const { modal } = App.useApp()
  return (concerned, go) => {
    const lost = unsavedWork().filter((work) => concerned(work.tab))
    if (lost.length === 0) return go()
    modal.confirm({ title: '以下内容尚未保存', content: <ul>{lost.map((work) => <li key={`${work.tab} ${work.what}`}>{work.what}</li>)}</ul>, okText: '放弃并继续', okButtonProps: { danger: true }, cancelText: '返回', onOk: go })
  }
}
