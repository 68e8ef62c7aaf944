import { present } from '../../core/resource/present.tsx'
import { codePresentation } from '../code/door.tsx'
import { canAct, CODE_ACTIONS, type CodeState } from '../code/module.ts'
import { activationCode, authorizationCodes, REBIND_GRANT } from './authorization-code.ts'
import { RebindDialog } from './rebind-dialog.tsx'

const shared = codePresentation(authorizationCodes)
const unbind = CODE_ACTIONS.find(({ name }) => name === 'unbind')

/** The codes of partners: what all codes have, and that another student can take one over. */
export default present(activationCode)({
  ...shared,
  rowActions: [...(shared.rowActions ?? []), {
    key: 'rebind', label: '换绑', grant: REBIND_GRANT,
    // A row has the fields of a code's state: they are columns of every family.
    visible: (row) => row['deleted_at'] === null && unbind !== undefined && canAct(unbind, row as unknown as CodeState, Date.now() / 1000),
  }],
  dialogs: { ...shared.dialogs, rebind: RebindDialog },
})
