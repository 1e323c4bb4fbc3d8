package dev.superstep.run;

/// Says whose open questions are. Of several calls at once one counts: the others are refused with
/// `interrupt_claimed`, or find that they have what they want.
public interface QuestionService {
  /// Makes the caller the assignee of a question that has none.
  void claim(String interrupt);

  /// Gives a question of the caller back to its candidates.
  void release(String interrupt);

  /// Makes somebody else the assignee of a question that the caller may answer.
  ///
  /// @param to a person
  /// @param override whether an administrator does it whose the question is not
  void delegate(String interrupt, String to, boolean override);
}
