import { Checkbox, Empty, Input, Modal } from 'antd'
import { useState } from 'react'
import type { ShellRoute } from './routes.ts'

/** More would be a menu of its own. */
const MAX = 16

interface Props {
  routes: readonly ShellRoute[]
  chosen: readonly string[]
  onClose: () => void
  onChosen: (paths: string[]) => void
}

/** Chooses pages for the home page, in the order in which they are chosen. */
export function FavouritesDialog({ routes, chosen, onClose, onChosen }: Props) {
  const [paths, setPaths] = useState([...chosen])
  const [word, setWord] = useState('')
  const groups = routes.map((group) => ({
    title: group.title,
    screens: (group.children ?? []).filter((screen) => !screen.hidden && (group.title.includes(word.trim()) || screen.title.includes(word.trim()))),
  })).filter((group) => group.screens.length > 0)
  return (
    <Modal open title={`选择快捷入口（${paths.length} / ${MAX}）`} okText="保存" onCancel={onClose} onOk={() => { onChosen(paths); onClose() }} width={640}>
      <Input allowClear placeholder="搜索页面" aria-label="搜索页面" value={word} onChange={(event) => setWord(event.target.value)} />
      <div className="favourites">
        {groups.map((group) => (
          <fieldset key={group.title}>
            <legend>{group.title}</legend>
            {group.screens.map(({ path, title }) => (
              <Checkbox key={path} checked={paths.includes(path)} disabled={!paths.includes(path) && paths.length >= MAX}
                onChange={(event) => setPaths(event.target.checked ? [...paths, path] : paths.filter((one) => one !== path))}>{title}</Checkbox>
            ))}
          </fieldset>
        ))}
        {groups.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有匹配的页面" />}
      </div>
    </Modal>
  )
}
