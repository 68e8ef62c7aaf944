import { Modal } from 'antd'
import { localKeys, shortcuts } from './shortcuts.ts'
import './shortcut-help.css'

/** All keys of the console. */
export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  return (
    <Modal open title="快捷键" footer={null} onCancel={onClose} width={460}>
      <table className="shortcut-help">
        <tbody>
          {[...shortcuts, ...localKeys].map(({ keys, label }) => (
            <tr key={label}><th scope="row">{keys.map((key) => <kbd key={key}>{key}</kbd>)}</th><td>{label}</td></tr>
          ))}
        </tbody>
      </table>
    </Modal>
  )
}
