/** The buttons at the end of a form. @param submit what the first is called @param back the path to which "Cancel" leads */
export const FormButtons = ({ submit, back }: { submit: string; back: string }) => (
  <div class="buttons">
    <button class="button primary" type="submit">
      {submit}
    </button>
    <a class="button" href={back}>
      Cancel
    </a>
  </div>
);
