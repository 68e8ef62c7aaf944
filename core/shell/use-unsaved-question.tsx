import { App } from 'antd'
import { unsavedWork } from '../form/unsaved.tsx'

/**
 * The one question before unsaved work is thrown away; it names every tab with what is not saved there.
 * @param titleOf what a tab is called
 */
export function useUnsavedQuestion(titleOf: (path: string) => string): (concerned: (tab: string) => boolean, go: () => void) => void {
  const { modal } = App.useApp()
  return (concerned, go) => {
    const lost = unsavedWork().filter((work) => concerned(work.tab))
    if (lost.length === 0) return go()
    const tabs = [...new Set(lost.map((work) => work.tab))]
    modal.confirm({
      title: '以下页面有未保存的内容',
      content: <ul className="unsaved-list">{tabs.map((tab) => <li key={tab}><b>{titleOf(tab)}</b>：{lost.filter((work) => work.tab === tab).map((work) => work.what).join('、')}</li>)}</ul>,
      okText: '放弃并继续', cancelText: '返回',
      // Enter must not throw anything away.
      okButtonProps: { danger: true }, focusable: { autoFocusButton: 'cancel' }, onOk: go,
    })
  }
}
