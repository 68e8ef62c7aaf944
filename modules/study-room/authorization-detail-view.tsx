import { present } from '../../core/resource/present.tsx'
import { codePresentation, mayAct } from '../code/door.tsx'
import { CODE_ACTIONS } from '../code/module.ts'
import { activationCode, authorizationCodes, REBIND_GRANT } from './authorization-code.ts'
import { RebindDialog } from './rebind-dialog.tsx'

const unbind = CODE_ACTIONS.find(({ name }) => name === 'unbind')

/** The codes of partners: what all codes have, and that another student can take one over. */
export default codePresentation(authorizationCodes, present(activationCode)({
  rowActions: [{
    key: 'rebind', label: '换绑', grant: REBIND_GRANT,
    visible: (row) => unbind !== undefined && mayAct(unbind, row),
  }],
  dialogs: { rebind: RebindDialog },
}))
